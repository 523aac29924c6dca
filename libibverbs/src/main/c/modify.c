// Changing and asking a queue pair.
#include "address.h"
#include "queues.h"

_Static_assert(1 << HV_QP_ATTRIBUTE_STATE == IBV_QP_STATE && 1 << HV_QP_ATTRIBUTE_AV == IBV_QP_AV
		       && 1 << HV_QP_ATTRIBUTE_DEST_QPN == IBV_QP_DEST_QPN
		       && 1 << HV_QP_ATTRIBUTE_MIN_RNR_TIMER == IBV_QP_MIN_RNR_TIMER
		       && (int)HV_QP_STATE_ERR == IBV_QPS_ERR,
	       "attributes and states are those of verbs.h");

#define KNOWN                                                                                                          \
	(IBV_QP_STATE | IBV_QP_CUR_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX        \
	 | IBV_QP_PORT | IBV_QP_QKEY | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT                 \
	 | IBV_QP_RNR_RETRY | IBV_QP_RQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER | IBV_QP_SQ_PSN           \
	 | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_DEST_QPN)

// Real hardware has these.
#define OTHERS (IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE | IBV_QP_CAP | IBV_QP_RATE_LIMIT)

static uint64_t mtu_bytes(enum ibv_mtu mtu)
{
	return (uint64_t)128 << mtu;
}

static uint64_t value_of(const struct ibv_qp_attr *attributes, int attribute)
{
	switch (attribute) {
	case HV_QP_ATTRIBUTE_STATE: return attributes->qp_state;
	case HV_QP_ATTRIBUTE_CUR_STATE: return attributes->cur_qp_state;
	case HV_QP_ATTRIBUTE_EN_SQD_ASYNC_NOTIFY: return attributes->en_sqd_async_notify;
	case HV_QP_ATTRIBUTE_ACCESS_FLAGS: return attributes->qp_access_flags & HV_ACCESS_ALL_BITS;
	case HV_QP_ATTRIBUTE_PKEY_INDEX: return attributes->pkey_index;
	case HV_QP_ATTRIBUTE_PORT: return attributes->port_num;
	case HV_QP_ATTRIBUTE_QKEY: return attributes->qkey;
	case HV_QP_ATTRIBUTE_AV: return attributes->ah_attr.dlid;
	case HV_QP_ATTRIBUTE_PATH_MTU: return mtu_bytes(attributes->path_mtu);
	case HV_QP_ATTRIBUTE_TIMEOUT: return attributes->timeout;
	case HV_QP_ATTRIBUTE_RETRY_CNT: return attributes->retry_cnt;
	case HV_QP_ATTRIBUTE_RNR_RETRY: return attributes->rnr_retry;
	case HV_QP_ATTRIBUTE_RQ_PSN: return attributes->rq_psn & 0xffffff;
	case HV_QP_ATTRIBUTE_MAX_QP_RD_ATOMIC: return attributes->max_rd_atomic;
	case HV_QP_ATTRIBUTE_MIN_RNR_TIMER: return attributes->min_rnr_timer;
	case HV_QP_ATTRIBUTE_SQ_PSN: return attributes->sq_psn & 0xffffff;
	case HV_QP_ATTRIBUTE_MAX_DEST_RD_ATOMIC: return attributes->max_dest_rd_atomic;
	case HV_QP_ATTRIBUTE_DEST_QPN: return attributes->dest_qp_num;
	default: return 0;
	}
}

static void set_value(struct ibv_qp_attr *to, int attribute, uint64_t value)
{
	switch (attribute) {
	case HV_QP_ATTRIBUTE_STATE: to->qp_state = (enum ibv_qp_state)value; break;
	case HV_QP_ATTRIBUTE_CUR_STATE: to->cur_qp_state = (enum ibv_qp_state)value; break;
	case HV_QP_ATTRIBUTE_EN_SQD_ASYNC_NOTIFY: to->en_sqd_async_notify = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_ACCESS_FLAGS: to->qp_access_flags = (unsigned int)value; break;
	case HV_QP_ATTRIBUTE_PKEY_INDEX: to->pkey_index = (uint16_t)value; break;
	case HV_QP_ATTRIBUTE_PORT: to->port_num = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_QKEY: to->qkey = (uint32_t)value; break;
	case HV_QP_ATTRIBUTE_AV: to->ah_attr.dlid = (uint16_t)value; break;
	case HV_QP_ATTRIBUTE_PATH_MTU:
		for (to->path_mtu = IBV_MTU_256; to->path_mtu < IBV_MTU_4096 && mtu_bytes(to->path_mtu) < value;)
			to->path_mtu++;
		break;
	case HV_QP_ATTRIBUTE_TIMEOUT: to->timeout = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_RETRY_CNT: to->retry_cnt = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_RNR_RETRY: to->rnr_retry = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_RQ_PSN: to->rq_psn = (uint32_t)value; break;
	case HV_QP_ATTRIBUTE_MAX_QP_RD_ATOMIC: to->max_rd_atomic = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_MIN_RNR_TIMER: to->min_rnr_timer = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_SQ_PSN: to->sq_psn = (uint32_t)value; break;
	case HV_QP_ATTRIBUTE_MAX_DEST_RD_ATOMIC: to->max_dest_rd_atomic = (uint8_t)value; break;
	case HV_QP_ATTRIBUTE_DEST_QPN: to->dest_qp_num = (uint32_t)value; break;
	}
}

// In one order always, so that no two threads wait for each other.
static void lock_queues(struct hv_cq *one, struct hv_cq *other)
{
	hv_lock(one < other ? &one->polling : &other->polling);
	if (one != other)
		hv_lock(one < other ? &other->polling : &one->polling);
}

static void unlock_queues(struct hv_cq *one, struct hv_cq *other)
{
	hv_unlock(&one->polling);
	if (one != other)
		hv_unlock(&other->polling);
}

static void empty(struct hv_queue *queue)
{
	hv_lock(&queue->posting);
	queue->producer = 0;
	atomic_store_explicit(&queue->head, 0, memory_order_release);
	hv_unlock(&queue->posting);
}

// The HCA is done with the queue pair: nothing new arrives for it, and what is there is of the past.
static void forget_everything(struct hv_qp *qp)
{
	lock_queues(qp->send_cq, qp->receive_cq);
	qp->stale_sends_before = hv_cq_arrived(qp->send_cq);
	qp->stale_receives_before = hv_cq_arrived(qp->receive_cq);
	qp->has_stale = qp->stale_sends_before != qp->send_cq->consumer
			|| qp->stale_receives_before != qp->receive_cq->consumer;
	empty(&qp->sends);
	empty(&qp->receives);
	hv_release32(qp->ring.memory + HV_QUEUE_GEOMETRY_SEND_PRODUCER_OFFSET, 0);
	hv_release32(qp->ring.memory + HV_QUEUE_GEOMETRY_RECEIVE_PRODUCER_OFFSET, 0);
	unlock_queues(qp->send_cq, qp->receive_cq);
}

static void reached(struct hv_qp *qp, enum ibv_qp_state state)
{
	atomic_store_explicit(&qp->state, (int)state, memory_order_relaxed);
	qp->qp.qp_base.state = state;
}

static int check(const struct ibv_qp_attr *attributes, int mask)
{
	if ((mask & ~(KNOWN | OTHERS)) != 0)
		return EINVAL;
	if ((mask & OTHERS) != 0)
		return EOPNOTSUPP;
	if ((mask & IBV_QP_PATH_MTU) != 0
	    && (attributes->path_mtu < IBV_MTU_256 || attributes->path_mtu > IBV_MTU_4096))
		return EINVAL;
	return 0;
}

// Programs give the two ends of XRC the attributes of RC; Linux leaves out what the end has no use for.
static int without_useless(enum ibv_qp_type type, int mask)
{
	switch (type) {
	case IBV_QPT_XRC_SEND: return mask & ~(IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
	case IBV_QPT_XRC_RECV: return mask & ~(IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY);
	default: return mask;
	}
}

int ibv_modify_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attributes, int mask)
{
	struct hv_qp *qp = hv_qp(ibv);
	struct hv_call call;
	int error = check(attributes, mask);

	if (error != 0)
		return error;
	mask = without_useless(ibv->qp_type, mask);
	hv_call_begin(&call, HV_CONTROL_REQUEST_MODIFY_QP);
	hv_pb_put(&call.request, HV_MODIFY_QP_QP, qp->handle);
	for (int bit = 0; bit <= HV_QP_ATTRIBUTE_DEST_QPN; bit++) {
		size_t opened;

		if ((mask & 1 << bit) == 0)
			continue;
		opened = hv_pb_open(&call.request, HV_MODIFY_QP_ATTRIBUTES);
		hv_pb_put_always(&call.request, HV_MODIFY_QP_ATTRIBUTES_ENTRY_KEY, (uint64_t)bit);
		hv_pb_put_always(&call.request, HV_MODIFY_QP_ATTRIBUTES_ENTRY_VALUE, value_of(attributes, bit));
		hv_pb_close(&call.request, opened);
	}
	if ((mask & IBV_QP_AV) != 0) {
		if (attributes->ah_attr.is_global)
			hv_put_route(&call.request, HV_MODIFY_QP_ROUTE, &attributes->ah_attr.grh);
		hv_pb_put(&call.request, HV_MODIFY_QP_STATIC_RATE, attributes->ah_attr.static_rate);
	}
	error = hv_call_do(&call, 0);
	if (error != 0)
		return error;
	if ((mask & IBV_QP_STATE) != 0) {
		reached(qp, attributes->qp_state);
		if (attributes->qp_state == IBV_QPS_RESET)
			forget_everything(qp);
	}
	return 0;
}

static void read_attribute(struct hv_pb_in in, struct ibv_qp_attr *to)
{
	static const uint32_t tags[] = {HV_QP_QUERIED_ATTRIBUTES_ENTRY_KEY, HV_QP_QUERIED_ATTRIBUTES_ENTRY_VALUE};
	uint64_t values[2];

	hv_read_numbers(in, tags, values, 2);
	set_value(to, (int)values[0], values[1]);
}

static void read_queried(struct hv_pb_in in, struct ibv_qp_attr *to)
{
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_QP_QUERIED_ATTRIBUTES: read_attribute(field.bytes, to); break;
		case HV_QP_QUERIED_ROUTE:
			to->ah_attr.is_global = 1;
			hv_read_route(field.bytes, &to->ah_attr.grh);
			break;
		case HV_QP_QUERIED_STATIC_RATE: to->ah_attr.static_rate = (uint8_t)field.value; break;
		}
	}
}

// All attributes are filled in, asked for or not.
int ibv_query_qp(struct ibv_qp *ibv, struct ibv_qp_attr *attributes, int mask, struct ibv_qp_init_attr *initial)
{
	struct hv_qp *qp = hv_qp(ibv);
	struct hv_call call;
	int error;

	(void)mask;
	hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_QP);
	hv_pb_put(&call.request, HV_QUERY_QP_QP, qp->handle);
	error = hv_call_do(&call, HV_CONTROL_REPLY_QP_QUERIED);
	if (error != 0)
		return error;
	*attributes = (struct ibv_qp_attr){.path_mtu = IBV_MTU_256, .path_mig_state = IBV_MIG_MIGRATED};
	read_queried(call.reply, attributes);
	attributes->cur_qp_state = attributes->qp_state;
	attributes->ah_attr.port_num = attributes->port_num;
	attributes->cap = hv_capacities(qp);
	reached(qp, attributes->qp_state);
	*initial = (struct ibv_qp_init_attr){.qp_context = ibv->qp_context,
					     .send_cq = ibv->send_cq,
					     .recv_cq = ibv->recv_cq,
					     .srq = ibv->srq,
					     .cap = attributes->cap,
					     .qp_type = ibv->qp_type,
					     .sq_sig_all = qp->all_signalled};
	return 0;
}

// A message's bytes are written in order; it is not promised.
int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode opcode, uint32_t flags)
{
	(void)qp;
	(void)opcode;
	(void)flags;
	return 0;
}
