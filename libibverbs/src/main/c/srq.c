// Shared receive queues.
#include <stdlib.h>

#include "verbs.h"

#define STRIDE_UNIT 32 // as SrqGeometry says

static size_t ring_bytes(uint32_t entries, uint32_t stride)
{
	return HV_SRQ_RING_ENTRIES_OFFSET + (size_t)entries * stride;
}

static int create(struct hv_srq *srq, uint32_t max_wr, uint64_t xrcd, uint64_t cq)
{
	static const uint32_t tags[] = {HV_SRQ_CREATED_SRQ, HV_SRQ_CREATED_SRQN};
	uint64_t values[2];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_CREATE_SRQ);
	hv_pb_put(&call.request, HV_CREATE_SRQ_PD, hv_pd(srq->srq.pd)->handle);
	hv_pb_put(&call.request, HV_CREATE_SRQ_RECEIVE_WR, max_wr);
	hv_pb_put(&call.request, HV_CREATE_SRQ_RECEIVE_SGE, srq->max_sge);
	hv_pb_put(&call.request, HV_CREATE_SRQ_RING, srq->ring.handle);
	hv_pb_put(&call.request, HV_CREATE_SRQ_XRCD, xrcd);
	hv_pb_put(&call.request, HV_CREATE_SRQ_CQ, cq);
	error = hv_call_do(&call, HV_CONTROL_REPLY_SRQ_CREATED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 2);
	srq->handle = values[0];
	srq->srq.handle = (uint32_t)values[0];
	srq->number = (uint32_t)values[1];
	return 0;
}

static struct ibv_srq *new_srq(struct ibv_pd *pd, void *srq_context, struct ibv_srq_attr *asked, uint64_t xrcd,
			       uint64_t cq)
{
	struct hv_context *context = hv_context(pd->context);
	struct hv_srq *srq;
	int error;

	if (asked->max_wr < 1 || asked->max_wr > HV_QUEUE_GEOMETRY_MAX_ENTRIES
	    || asked->max_sge > HV_QUEUE_GEOMETRY_MAX_SGE)
		return hv_null(EINVAL);
	srq = calloc(1, sizeof(*srq));
	if (srq == NULL)
		return hv_null(ENOMEM);
	srq->srq = (struct ibv_srq){.context = pd->context, .srq_context = srq_context, .pd = pd};
	srq->max_sge = asked->max_sge == 0 ? 1 : asked->max_sge;
	srq->entries = hv_power_of_two(asked->max_wr);
	srq->stride = hv_round_up(HV_RECEIVE_WQE_SGES_OFFSET + srq->max_sge * HV_SEND_WQE_SGE_BYTES, STRIDE_UNIT);
	error = hv_take_ring(context, ring_bytes(srq->entries, srq->stride), &srq->ring);
	if (error == 0) {
		error = create(srq, asked->max_wr, xrcd, cq);
		if (error != 0)
			hv_release_ring(&srq->ring);
	}
	if (error != 0) {
		free(srq);
		return hv_null(error);
	}
	pthread_mutex_init(&srq->srq.mutex, NULL);
	pthread_cond_init(&srq->srq.cond, NULL);
	pthread_mutex_lock(&context->events);
	srq->next = context->first_srq;
	context->first_srq = srq;
	pthread_mutex_unlock(&context->events);
	__atomic_fetch_add(&hv_pd(pd)->children, 1, __ATOMIC_ACQ_REL);
	asked->max_wr = srq->entries;
	asked->max_sge = srq->max_sge;
	return &srq->srq;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attributes)
{
	return new_srq(pd, attributes->srq_context, &attributes->attr, 0, 0);
}

struct ibv_srq *hv_create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attributes)
{
	const uint32_t plain = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
	const uint32_t xrc = plain | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
	uint32_t mask = attributes->comp_mask;
	enum ibv_srq_type type = (mask & IBV_SRQ_INIT_ATTR_TYPE) != 0 ? attributes->srq_type : IBV_SRQT_BASIC;

	(void)context;
	if ((mask & ~xrc) != 0 || type == IBV_SRQT_TM)
		return hv_null(EOPNOTSUPP);
	if ((mask & IBV_SRQ_INIT_ATTR_PD) == 0 || attributes->pd == NULL)
		return hv_null(EINVAL);
	if (type == IBV_SRQT_BASIC)
		return new_srq(attributes->pd, attributes->srq_context, &attributes->attr, 0, 0);
	if ((mask & xrc) != xrc || attributes->xrcd == NULL || attributes->cq == NULL)
		return hv_null(EINVAL);
	return new_srq(attributes->pd, attributes->srq_context, &attributes->attr,
		       ((struct hv_xrcd *)attributes->xrcd)->handle, hv_cq(attributes->cq)->handle);
}

int hv_get_srq_num(struct ibv_srq *srq, uint32_t *number)
{
	*number = hv_srq(srq)->number;
	return 0;
}

int ibv_destroy_srq(struct ibv_srq *ibv)
{
	struct hv_srq *srq = hv_srq(ibv);
	int error = hv_destroy(HV_OBJECT_KIND_SRQ, srq->handle);

	if (error != 0)
		return error;
	hv_end_srq_events(srq);
	hv_release_ring(&srq->ring);
	__atomic_fetch_sub(&hv_pd(ibv->pd)->children, 1, __ATOMIC_ACQ_REL);
	pthread_cond_destroy(&ibv->cond);
	pthread_mutex_destroy(&ibv->mutex);
	free(srq);
	return 0;
}

static int arm(struct hv_srq *srq, uint32_t limit)
{
	struct hv_call call;

	hv_call_begin(&call, HV_CONTROL_REQUEST_MODIFY_SRQ);
	hv_pb_put(&call.request, HV_MODIFY_SRQ_SRQ, srq->handle);
	// Which of the changes it is, the field says that is there.
	hv_pb_put_always(&call.request, HV_MODIFY_SRQ_LIMIT, limit);
	return hv_call_do(&call, 0);
}

// Copies what the HCA has not taken; it goes on with the old memory until the call is done.
static int move(struct hv_srq *srq, uint32_t max_wr, struct hv_ring *other, uint32_t entries)
{
	uint32_t head = hv_acquire32(srq->ring.memory + HV_SRQ_RING_HEAD_INDEX_OFFSET);
	struct hv_call call;

	if (srq->producer - head > entries)
		return EINVAL;
	for (uint32_t index = head; index != srq->producer; index++)
		memcpy(other->memory + ring_bytes(index & (entries - 1), srq->stride),
		       srq->ring.memory + ring_bytes(index & (srq->entries - 1), srq->stride), srq->stride);
	hv_release32(other->memory + HV_SRQ_RING_HEAD_INDEX_OFFSET, head);
	hv_release32(other->memory + HV_SRQ_RING_PRODUCER_INDEX_OFFSET, srq->producer);
	hv_call_begin(&call, HV_CONTROL_REQUEST_MODIFY_SRQ);
	hv_pb_put(&call.request, HV_MODIFY_SRQ_SRQ, srq->handle);
	hv_pb_put_always(&call.request, HV_MODIFY_SRQ_RECEIVE_WR, max_wr);
	hv_pb_put(&call.request, HV_MODIFY_SRQ_RING, other->handle);
	return hv_call_do(&call, 0);
}

static int resize(struct hv_srq *srq, uint32_t max_wr)
{
	struct hv_ring other;
	struct hv_ring old;
	uint32_t entries;
	int error;

	if (max_wr < 1 || max_wr > HV_QUEUE_GEOMETRY_MAX_ENTRIES)
		return EINVAL;
	entries = hv_power_of_two(max_wr);
	error = hv_take_ring(hv_context(srq->srq.context), ring_bytes(entries, srq->stride), &other);
	if (error != 0)
		return error;
	hv_lock(&srq->posting);
	old = srq->ring;
	error = move(srq, max_wr, &other, entries);
	if (error == 0) {
		srq->ring = other;
		srq->entries = entries;
	}
	hv_unlock(&srq->posting);
	hv_release_ring(error == 0 ? &old : &other);
	return error;
}

int ibv_modify_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attributes, int mask)
{
	struct hv_srq *srq = hv_srq(ibv);
	int error = 0;

	if ((mask & ~(IBV_SRQ_MAX_WR | IBV_SRQ_LIMIT)) != 0)
		return EINVAL;
	if ((mask & IBV_SRQ_MAX_WR) != 0)
		error = resize(srq, attributes->max_wr);
	if (error == 0 && (mask & IBV_SRQ_LIMIT) != 0)
		error = arm(srq, attributes->srq_limit);
	return error;
}

int ibv_query_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attributes)
{
	static const uint32_t tags[] = {HV_SRQ_QUERIED_ENTRIES, HV_SRQ_QUERIED_LIMIT};
	struct hv_srq *srq = hv_srq(ibv);
	uint64_t values[2];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_SRQ);
	hv_pb_put(&call.request, HV_QUERY_SRQ_SRQ, srq->handle);
	error = hv_call_do(&call, HV_CONTROL_REPLY_SRQ_QUERIED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 2);
	*attributes = (struct ibv_srq_attr){
		.max_wr = (uint32_t)values[0], .max_sge = srq->max_sge, .srq_limit = (uint32_t)values[1]};
	return 0;
}
