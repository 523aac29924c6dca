// Queue pairs: making, finding, ending.
#include <stdlib.h>

#include "queues.h"

// Strides are multiples of these: QueueGeometry.of says the same.
#define SEND_STRIDE_UNIT 64
#define RECEIVE_STRIDE_UNIT 32

#define SEND_OPS (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM)
#define WRITE_OPS (IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)
#define WINDOW_OPS (IBV_QP_EX_WITH_LOCAL_INV | IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_SEND_WITH_INV)
#define READ_OPS                                                                                                       \
	(IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)

_Static_assert((int)HV_QP_TYPE_RC == IBV_QPT_RC && (int)HV_QP_TYPE_UC == IBV_QPT_UC && (int)HV_QP_TYPE_UD == IBV_QPT_UD
		       && (int)HV_QP_TYPE_XRC_SEND == IBV_QPT_XRC_SEND && (int)HV_QP_TYPE_XRC_RECV == IBV_QPT_XRC_RECV,
	       "types are those of verbs.h");

struct hv_qp *hv_find_qp(struct hv_context *context, uint32_t qpn)
{
	struct hv_qp **some = __atomic_load_n(&context->queue_pairs[qpn >> HV_TABLE_BITS & (HV_TABLE_ENTRIES - 1)],
					      __ATOMIC_ACQUIRE);

	return some == NULL ? NULL : __atomic_load_n(&some[qpn & (HV_TABLE_ENTRIES - 1)], __ATOMIC_ACQUIRE);
}

// Under the lock of events.
static int enter(struct hv_context *context, uint32_t qpn, struct hv_qp *qp)
{
	struct hv_qp ***some = &context->queue_pairs[qpn >> HV_TABLE_BITS & (HV_TABLE_ENTRIES - 1)];

	if (*some == NULL) {
		struct hv_qp **made = calloc(HV_TABLE_ENTRIES, sizeof(*made));

		if (made == NULL)
			return ENOMEM;
		__atomic_store_n(some, made, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&(*some)[qpn & (HV_TABLE_ENTRIES - 1)], qp, __ATOMIC_RELEASE);
	return 0;
}

static int check(const struct ibv_qp_init_attr_ex *attributes)
{
	const uint32_t known = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD | IBV_QP_INIT_ATTR_CREATE_FLAGS
			       | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	uint32_t mask = attributes->comp_mask;
	uint64_t ops = 0;

	switch (attributes->qp_type) {
	case IBV_QPT_RC:
	case IBV_QPT_XRC_SEND: ops = SEND_OPS | WRITE_OPS | WINDOW_OPS | READ_OPS; break;
	case IBV_QPT_UC: ops = SEND_OPS | WRITE_OPS | WINDOW_OPS; break;
	case IBV_QPT_UD: ops = SEND_OPS; break;
	case IBV_QPT_XRC_RECV: break;
	default: return EOPNOTSUPP;
	}
	if ((mask & ~known) != 0 || ((mask & IBV_QP_INIT_ATTR_CREATE_FLAGS) != 0 && attributes->create_flags != 0)
	    || ((mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0 && (attributes->send_ops_flags & ~ops) != 0))
		return EOPNOTSUPP;
	if (attributes->qp_type == IBV_QPT_XRC_RECV)
		return (mask & IBV_QP_INIT_ATTR_XRCD) != 0 && attributes->xrcd != NULL ? 0 : EINVAL;
	if ((mask & IBV_QP_INIT_ATTR_PD) == 0 || attributes->pd == NULL || attributes->send_cq == NULL)
		return EINVAL;
	return attributes->qp_type != IBV_QPT_XRC_SEND && attributes->recv_cq == NULL ? EINVAL : 0;
}

static uint32_t at_least_one(uint32_t n)
{
	return n == 0 ? 1 : n;
}

// What the HCA is asked for: it has no queue pair without room for a send, and rings of these sizes.
static int plan(struct hv_qp *qp, const struct ibv_qp_init_attr_ex *attributes, struct ibv_qp_cap *asked)
{
	uint32_t payload;

	*asked = attributes->cap;
	qp->has_receives = attributes->srq == NULL && attributes->qp_type != IBV_QPT_XRC_SEND
			   && attributes->qp_type != IBV_QPT_XRC_RECV;
	if (attributes->qp_type == IBV_QPT_XRC_RECV)
		*asked = (struct ibv_qp_cap){0};
	if (!qp->has_receives) {
		asked->max_recv_wr = 0;
		asked->max_recv_sge = 0;
	}
	asked->max_send_wr = at_least_one(asked->max_send_wr);
	asked->max_send_sge = at_least_one(asked->max_send_sge);
	asked->max_recv_sge = at_least_one(asked->max_recv_sge);
	if (asked->max_send_wr > HV_QUEUE_GEOMETRY_MAX_ENTRIES || asked->max_recv_wr > HV_QUEUE_GEOMETRY_MAX_ENTRIES
	    || asked->max_send_sge > HV_QUEUE_GEOMETRY_MAX_SGE || asked->max_recv_sge > HV_QUEUE_GEOMETRY_MAX_SGE
	    || asked->max_inline_data > HV_QUEUE_GEOMETRY_MAX_INLINE_BYTES)
		return EINVAL;
	payload = asked->max_send_sge * HV_SEND_WQE_SGE_BYTES;
	if (payload < asked->max_inline_data)
		payload = asked->max_inline_data;
	qp->max_inline = asked->max_inline_data;
	qp->all_signalled = attributes->sq_sig_all != 0;
	qp->sends = (struct hv_queue){.entries = hv_power_of_two(asked->max_send_wr),
				      .stride = hv_round_up(HV_SEND_WQE_SGES_OFFSET + payload, SEND_STRIDE_UNIT),
				      .offset = HV_QUEUE_GEOMETRY_SEND_RING_OFFSET,
				      .max_sge = asked->max_send_sge};
	qp->receives = (struct hv_queue){
		.entries = asked->max_recv_wr == 0 ? 0 : hv_power_of_two(asked->max_recv_wr),
		.stride = hv_round_up(HV_RECEIVE_WQE_SGES_OFFSET + asked->max_recv_sge * HV_SEND_WQE_SGE_BYTES,
				      RECEIVE_STRIDE_UNIT),
		.offset = qp->sends.offset + qp->sends.entries * qp->sends.stride,
		.max_sge = asked->max_recv_sge};
	return 0;
}

static int create(struct hv_qp *qp, uint64_t pd, const struct ibv_qp_cap *asked)
{
	static const uint32_t tags[] = {HV_QP_CREATED_QP, HV_QP_CREATED_QPN, HV_QP_CREATED_SLOT};
	struct ibv_qp *ibv = &qp->qp.qp_base;
	uint64_t values[3];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_CREATE_QP);
	hv_pb_put(&call.request, HV_CREATE_QP_PD, pd);
	hv_pb_put(&call.request, HV_CREATE_QP_TYPE, ibv->qp_type);
	hv_pb_put(&call.request, HV_CREATE_QP_SEND_CQ, qp->send_cq->handle);
	hv_pb_put(&call.request, HV_CREATE_QP_RECEIVE_CQ, qp->receive_cq->handle);
	hv_pb_put(&call.request, HV_CREATE_QP_RING, qp->ring.handle);
	hv_pb_put(&call.request, HV_CREATE_QP_SEND_WR, asked->max_send_wr);
	hv_pb_put(&call.request, HV_CREATE_QP_RECEIVE_WR, asked->max_recv_wr);
	hv_pb_put(&call.request, HV_CREATE_QP_SEND_SGE, asked->max_send_sge);
	hv_pb_put(&call.request, HV_CREATE_QP_RECEIVE_SGE, asked->max_recv_sge);
	hv_pb_put(&call.request, HV_CREATE_QP_INLINE_BYTES, asked->max_inline_data);
	hv_pb_put(&call.request, HV_CREATE_QP_ALL_SIGNALLED, qp->all_signalled);
	hv_pb_put(&call.request, HV_CREATE_QP_SRQ, ibv->srq == NULL ? 0 : hv_srq(ibv->srq)->handle);
	error = hv_call_do(&call, HV_CONTROL_REPLY_QP_CREATED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 3);
	qp->handle = values[0];
	ibv->handle = (uint32_t)values[0];
	ibv->qp_num = (uint32_t)values[1];
	qp->slot = (uint32_t)values[2];
	if (qp->slot < HV_UAR_SLOTS)
		return 0;
	hv_destroy(HV_OBJECT_KIND_QP, qp->handle);
	return EPROTO;
}

static int set_up(struct hv_context *context, struct hv_qp *qp, uint64_t pd, const struct ibv_qp_cap *asked)
{
	size_t bytes = qp->receives.offset + (size_t)qp->receives.entries * qp->receives.stride;
	int error = hv_take_ring(context, bytes, &qp->ring);

	if (error != 0)
		return error;
	error = create(qp, pd, asked);
	if (error == 0) {
		pthread_mutex_lock(&context->events);
		error = enter(context, qp->qp.qp_base.qp_num, qp);
		pthread_mutex_unlock(&context->events);
		if (error != 0)
			hv_destroy(HV_OBJECT_KIND_QP, qp->handle);
	}
	if (error != 0)
		hv_release_ring(&qp->ring);
	return error;
}

static void fill(struct hv_qp *qp, struct ibv_context *context, const struct ibv_qp_init_attr_ex *attributes)
{
	struct ibv_qp *ibv = &qp->qp.qp_base;
	bool is_target = attributes->qp_type == IBV_QPT_XRC_RECV;

	*ibv = (struct ibv_qp){.context = context,
			       .qp_context = attributes->qp_context,
			       .pd = is_target ? NULL : attributes->pd,
			       .send_cq = attributes->send_cq,
			       .recv_cq = attributes->recv_cq,
			       .srq = attributes->srq,
			       .state = IBV_QPS_RESET,
			       .qp_type = attributes->qp_type};
	pthread_mutex_init(&ibv->mutex, NULL);
	pthread_cond_init(&ibv->cond, NULL);
	qp->send_cq = is_target ? ((struct hv_xrcd *)attributes->xrcd)->idle : hv_cq(attributes->send_cq);
	qp->receive_cq = qp->has_receives || attributes->srq != NULL ? hv_cq(attributes->recv_cq) : qp->send_cq;
	hv_fill_work_ops(qp);
}

struct ibv_qp *hv_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attributes)
{
	struct ibv_qp_cap asked;
	uint64_t pd;
	struct hv_qp *qp;
	int error = check(attributes);

	if (error != 0)
		return hv_null(error);
	qp = calloc(1, sizeof(*qp));
	if (qp == NULL)
		return hv_null(ENOMEM);
	error = plan(qp, attributes, &asked);
	if (error == 0) {
		fill(qp, context, attributes);
		pd = qp->qp.qp_base.pd == NULL ? ((struct hv_xrcd *)attributes->xrcd)->handle
					       : hv_pd(attributes->pd)->handle;
		error = set_up(hv_context(context), qp, pd, &asked);
	}
	if (error != 0) {
		free(qp);
		return hv_null(error);
	}
	if (qp->qp.qp_base.pd != NULL)
		__atomic_fetch_add(&hv_pd(attributes->pd)->children, 1, __ATOMIC_ACQ_REL);
	attributes->cap = hv_capacities(qp);
	return &qp->qp.qp_base;
}

struct ibv_qp_cap hv_capacities(const struct hv_qp *qp)
{
	return (struct ibv_qp_cap){.max_send_wr = qp->sends.entries,
				   .max_recv_wr = qp->receives.entries,
				   .max_send_sge = qp->sends.max_sge,
				   .max_recv_sge = qp->has_receives ? qp->receives.max_sge : 0,
				   .max_inline_data = qp->max_inline};
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
	struct ibv_qp_init_attr_ex all = {.qp_context = attributes->qp_context,
					  .send_cq = attributes->send_cq,
					  .recv_cq = attributes->recv_cq,
					  .srq = attributes->srq,
					  .cap = attributes->cap,
					  .qp_type = attributes->qp_type,
					  .sq_sig_all = attributes->sq_sig_all,
					  .comp_mask = IBV_QP_INIT_ATTR_PD,
					  .pd = pd};
	struct ibv_qp *qp = hv_create_qp_ex(pd->context, &all);

	if (qp != NULL)
		attributes->cap = all.cap;
	return qp;
}

int ibv_destroy_qp(struct ibv_qp *ibv)
{
	struct hv_qp *qp = hv_qp(ibv);
	struct hv_context *context = hv_context(ibv->context);
	int error = hv_destroy(HV_OBJECT_KIND_QP, qp->handle);

	if (error != 0)
		return error;
	pthread_mutex_lock(&context->events);
	enter(context, ibv->qp_num, NULL);
	pthread_mutex_unlock(&context->events);
	// Who polls may have found it just before.
	hv_lock(&qp->send_cq->polling);
	hv_unlock(&qp->send_cq->polling);
	hv_lock(&qp->receive_cq->polling);
	hv_unlock(&qp->receive_cq->polling);
	hv_end_qp_events(qp);
	hv_release_ring(&qp->ring);
	if (ibv->pd != NULL)
		__atomic_fetch_sub(&hv_pd(ibv->pd)->children, 1, __ATOMIC_ACQ_REL);
	pthread_cond_destroy(&ibv->cond);
	pthread_mutex_destroy(&ibv->mutex);
	free(qp);
	return 0;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return &hv_qp(qp)->qp;
}
