// Completion queues: making, resizing, ending.
#include <stdlib.h>

#include "verbs.h"

static size_t ring_bytes(uint32_t entries)
{
	return HV_CQ_HEADER_SIZE_BYTES + (size_t)entries * HV_CQE_SIZE_BYTES;
}

static int create(struct hv_context *context, uint32_t entries, bool has_events, struct hv_cq *cq)
{
	static const uint32_t tags[] = {HV_CQ_CREATED_CQ, HV_CQ_CREATED_NUMBER, HV_CQ_CREATED_SLOT,
					HV_CQ_CREATED_ENTRIES};
	uint64_t values[4];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_CREATE_CQ);
	hv_pb_put(&call.request, HV_CREATE_CQ_CONTEXT, context->handle);
	hv_pb_put(&call.request, HV_CREATE_CQ_ENTRIES, entries);
	hv_pb_put(&call.request, HV_CREATE_CQ_RING, cq->ring.handle);
	hv_pb_put(&call.request, HV_CREATE_CQ_EVENTS, has_events);
	error = hv_call_do(&call, HV_CONTROL_REPLY_CQ_CREATED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 4);
	cq->handle = values[0];
	cq->number = (uint32_t)values[1];
	cq->slot = (uint32_t)values[2];
	if (values[3] == entries && values[2] < HV_UAR_SLOTS)
		return 0;
	hv_destroy(HV_OBJECT_KIND_CQ, cq->handle);
	return EPROTO;
}

static int set_up(struct hv_context *context, struct hv_cq *cq, uint32_t entries)
{
	int error = hv_take_ring(context, ring_bytes(entries), &cq->ring);

	if (error != 0)
		return error;
	error = create(context, entries, cq->cq.channel != NULL, cq);
	if (error != 0) {
		hv_release_ring(&cq->ring);
		return error;
	}
	error = hv_listen(cq);
	if (error != 0) {
		hv_destroy(HV_OBJECT_KIND_CQ, cq->handle);
		hv_release_ring(&cq->ring);
	}
	return error;
}

struct hv_cq *hv_create_cq(struct hv_context *context, uint32_t asked, struct ibv_comp_channel *channel)
{
	struct hv_cq *cq;
	int error;

	if (asked < 1 || asked > HV_QUEUE_GEOMETRY_MAX_ENTRIES)
		return hv_null(EINVAL);
	cq = calloc(1, sizeof(*cq));
	if (cq == NULL)
		return hv_null(ENOMEM);
	cq->mask = hv_power_of_two(asked) - 1;
	cq->cq.context = &context->verbs.context;
	cq->cq.channel = channel;
	cq->cq.cqe = (int)cq->mask + 1;
	pthread_mutex_init(&cq->cq.mutex, NULL);
	pthread_cond_init(&cq->cq.cond, NULL);
	error = set_up(context, cq, cq->mask + 1);
	if (error != 0) {
		free(cq);
		return hv_null(error);
	}
	cq->cq.handle = (uint32_t)cq->handle;
	if (channel != NULL)
		__atomic_fetch_add(&channel->refcnt, 1, __ATOMIC_ACQ_REL);
	return cq;
}

int hv_destroy_cq(struct hv_cq *cq)
{
	struct ibv_comp_channel *channel = cq->cq.channel;
	int error = hv_destroy(HV_OBJECT_KIND_CQ, cq->handle);

	if (error != 0)
		return error;
	hv_end_cq_events(cq);
	hv_release_ring(&cq->ring);
	if (channel != NULL)
		__atomic_fetch_sub(&channel->refcnt, 1, __ATOMIC_ACQ_REL);
	pthread_cond_destroy(&cq->cq.cond);
	pthread_mutex_destroy(&cq->cq.mutex);
	free(cq);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *cq_context,
			     struct ibv_comp_channel *channel, int vector)
{
	struct hv_cq *cq;

	if (entries < 1 || vector < 0 || vector >= context->num_comp_vectors)
		return hv_null(EINVAL);
	cq = hv_create_cq(hv_context(context), (uint32_t)entries, channel);
	if (cq == NULL)
		return NULL;
	cq->cq.cq_context = cq_context;
	hv_fill_poll_ops(cq);
	return (struct ibv_cq *)&cq->cq;
}

struct ibv_cq_ex *hv_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attributes)
{
	const uint32_t known = IBV_CQ_INIT_ATTR_MASK_FLAGS | IBV_CQ_INIT_ATTR_MASK_PD;
	struct hv_cq *cq;

	if ((attributes->comp_mask & ~known) != 0 || (attributes->wc_flags & ~(uint64_t)IBV_WC_STANDARD_FLAGS) != 0)
		return hv_null(EOPNOTSUPP);
	// One thread alone is no more than what is promised anyway.
	if ((attributes->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS) != 0
	    && (attributes->flags & ~(uint32_t)IBV_CREATE_CQ_ATTR_SINGLE_THREADED) != 0)
		return hv_null(EOPNOTSUPP);
	if (attributes->comp_vector >= (uint32_t)context->num_comp_vectors)
		return hv_null(EINVAL);
	cq = hv_create_cq(hv_context(context), attributes->cqe, attributes->channel);
	if (cq == NULL)
		return NULL;
	cq->cq.cq_context = attributes->cq_context;
	hv_fill_poll_ops(cq);
	return &cq->cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	return hv_destroy_cq(hv_cq(cq));
}

int hv_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attributes)
{
	struct hv_call call;

	if ((attributes->attr_mask & ~(uint32_t)IBV_CQ_ATTR_MODERATE) != 0)
		return EOPNOTSUPP;
	if (attributes->attr_mask == 0)
		return EINVAL;
	hv_call_begin(&call, HV_CONTROL_REQUEST_MODERATE_CQ);
	hv_pb_put(&call.request, HV_MODERATE_CQ_CQ, hv_cq(cq)->handle);
	hv_pb_put(&call.request, HV_MODERATE_CQ_COUNT, attributes->moderate.cq_count);
	hv_pb_put(&call.request, HV_MODERATE_CQ_PERIOD_MICROS, attributes->moderate.cq_period);
	return hv_call_do(&call, 0);
}

// The HCA writes into the other memory from the moment it agrees: the old holds all that came before.
static void move(struct hv_cq *cq, struct hv_ring *other, uint32_t mask)
{
	uint32_t end = hv_cq_arrived(cq);

	if (end - cq->consumer > mask + 1)
		end = cq->consumer + mask + 1;
	for (uint32_t index = cq->consumer; index != end; index++)
		memcpy(other->memory + HV_CQ_HEADER_SIZE_BYTES + (size_t)(index & mask) * HV_CQE_SIZE_BYTES,
		       cq->ring.memory + HV_CQ_HEADER_SIZE_BYTES + (size_t)(index & cq->mask) * HV_CQE_SIZE_BYTES,
		       HV_CQE_SIZE_BYTES);
}

static int resize(struct hv_cq *cq, struct hv_ring *other, uint32_t entries)
{
	struct hv_call call;
	int error;

	memcpy(other->memory, cq->ring.memory, HV_CQ_HEADER_SIZE_BYTES);
	hv_release32(other->memory + HV_CQ_HEADER_CONSUMER_INDEX_OFFSET, cq->consumer);
	hv_call_begin(&call, HV_CONTROL_REQUEST_RESIZE_CQ);
	hv_pb_put(&call.request, HV_RESIZE_CQ_CQ, cq->handle);
	hv_pb_put(&call.request, HV_RESIZE_CQ_ENTRIES, entries);
	hv_pb_put(&call.request, HV_RESIZE_CQ_RING, other->handle);
	hv_pb_put(&call.request, HV_RESIZE_CQ_CONSUMER_INDEX, cq->consumer);
	error = hv_call_do(&call, 0);
	if (error == 0)
		move(cq, other, entries - 1);
	return error;
}

int ibv_resize_cq(struct ibv_cq *ibv, int asked)
{
	struct hv_cq *cq = hv_cq(ibv);
	struct hv_ring other;
	struct hv_ring old;
	uint32_t entries;
	int error;

	if (asked < 1 || asked > HV_QUEUE_GEOMETRY_MAX_ENTRIES)
		return EINVAL;
	entries = hv_power_of_two((uint32_t)asked);
	if (entries == cq->mask + 1)
		return 0;
	error = hv_take_ring(hv_context(ibv->context), ring_bytes(entries), &other);
	if (error != 0)
		return error;
	hv_lock(&cq->polling);
	old = cq->ring;
	error = resize(cq, &other, entries);
	if (error == 0) {
		cq->ring = other;
		cq->mask = entries - 1;
		ibv->cqe = (int)entries;
	}
	hv_unlock(&cq->polling);
	hv_release_ring(error == 0 ? &old : &other);
	return error;
}
