// Send and receive queues of a queue pair, as posting and changing it see them.
#ifndef HV_QUEUES_H
#define HV_QUEUES_H

#include "verbs.h"

struct ibv_qp_cap hv_capacities(const struct hv_qp *qp);

// Slots that may be filled.
static inline uint32_t hv_queue_free(struct hv_queue *queue)
{
	return queue->entries - (queue->producer - atomic_load_explicit(&queue->head, memory_order_acquire));
}

// The slot `ahead` requests after the last published one; not of an empty queue.
static inline uint8_t *hv_queue_slot(const struct hv_qp *qp, const struct hv_queue *queue, uint32_t ahead)
{
	return qp->ring.memory + queue->offset
	       + (size_t)((queue->producer + ahead) & (queue->entries - 1)) * queue->stride;
}

// Publishes filled slots, and rings for them.
static inline void hv_publish_sends(struct hv_qp *qp, uint32_t count)
{
	__atomic_store_n(&qp->sends.producer, qp->sends.producer + count, __ATOMIC_RELAXED);
	hv_release32(qp->ring.memory + HV_QUEUE_GEOMETRY_SEND_PRODUCER_OFFSET, qp->sends.producer);
	hv_ring_doorbell(hv_context(qp->qp.qp_base.context), qp->slot);
}

// No doorbell: the HCA looks at the index when a message needs a receive.
static inline void hv_publish_receives(struct hv_qp *qp, uint32_t count)
{
	__atomic_store_n(&qp->receives.producer, qp->receives.producer + count, __ATOMIC_RELAXED);
	hv_release32(qp->ring.memory + HV_QUEUE_GEOMETRY_RECEIVE_PRODUCER_OFFSET, qp->receives.producer);
}

// Posts are allowed in ERR too, and flush.
static inline bool hv_allows_sends(const struct hv_qp *qp)
{
	return atomic_load_explicit(&qp->state, memory_order_relaxed) >= IBV_QPS_RTS;
}

static inline bool hv_allows_receives(const struct hv_qp *qp)
{
	return atomic_load_explicit(&qp->state, memory_order_relaxed) != IBV_QPS_RESET;
}

#endif
