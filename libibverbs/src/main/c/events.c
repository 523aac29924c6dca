// Completion events and asynchronous events, from the HCA's rings to the descriptors that a program waits on.
//
// A descriptor is an eventfd that counts down by one a read: what it counts is what is in the queue behind it. Events
// of a queue that is destroyed leave the queue and not the count; who reads in vain reads again.
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "counter.h"
#include "takers.h"

_Static_assert((int)HV_ASYNC_EVENT_TYPE_CQ_ERR == IBV_EVENT_CQ_ERR
		       && (int)HV_ASYNC_EVENT_TYPE_QP_FATAL == IBV_EVENT_QP_FATAL
		       && (int)HV_ASYNC_EVENT_TYPE_PORT_ACTIVE == IBV_EVENT_PORT_ACTIVE
		       && (int)HV_ASYNC_EVENT_TYPE_SRQ_LIMIT_REACHED == IBV_EVENT_SRQ_LIMIT_REACHED
		       && (int)HV_ASYNC_EVENT_TYPE_QP_LAST_WQE_REACHED == IBV_EVENT_QP_LAST_WQE_REACHED,
	       "codes are those of verbs.h");

static void completion_event(struct hv_context *context, uint32_t slot)
{
	struct hv_cq *cq;
	struct hv_channel *channel;

	pthread_mutex_lock(&context->events);
	cq = slot < HV_UAR_SLOTS ? context->queues[slot] : NULL;
	// Who takes the event polls the queue empty: one of each queue is enough.
	if (cq != NULL && !cq->is_pending) {
		channel = (struct hv_channel *)cq->cq.channel;
		cq->is_pending = true;
		cq->next_pending = NULL;
		if (channel->last == NULL)
			channel->first = cq;
		else
			channel->last->next_pending = cq;
		channel->last = cq;
		hv_count(channel->channel.fd);
	}
	pthread_mutex_unlock(&context->events);
}

// Finds what an event is of; false if it is gone. Under the lock.
static bool find_element(struct hv_context *context, uint32_t number, struct ibv_async_event *event)
{
	struct hv_cq *cq;
	struct hv_srq *srq;
	struct hv_qp *qp;

	switch (event->event_type) {
	case IBV_EVENT_CQ_ERR:
		for (cq = context->first_cq; cq != NULL && cq->number != number; cq = cq->next)
			;
		event->element.cq = (struct ibv_cq *)cq;
		return cq != NULL;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		for (srq = context->first_srq; srq != NULL && srq->number != number; srq = srq->next)
			;
		event->element.srq = srq == NULL ? NULL : &srq->srq;
		return srq != NULL;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		qp = hv_find_qp(context, number);
		event->element.qp = qp == NULL ? NULL : &qp->qp.qp_base;
		return qp != NULL;
	default:
		event->element.port_num = (int)number;
		return true;
	}
}

static void async_event(struct hv_context *context, uint32_t entry)
{
	struct ibv_async_event event = {.event_type = (enum ibv_event_type)(entry >> HV_EVENT_RING_CODE_SHIFT)};

	pthread_mutex_lock(&context->events);
	// A program that does not look loses the latest.
	if (find_element(context, entry & HV_EVENT_RING_NUMBER_MASK, &event)
	    && context->end_pending - context->first_pending < HV_MAX_ASYNCS) {
		context->pending[context->end_pending++ % HV_MAX_ASYNCS] = event;
		hv_count(context->verbs.context.async_fd);
	}
	pthread_mutex_unlock(&context->events);
}

int hv_start_events(struct hv_context *context)
{
	struct ibv_context *ibv = &context->verbs.context;
	int error;

	context->completions = (struct hv_event_taker){.context = context,
						       .offset = HV_EVENT_RING_COMPLETIONS_OFFSET,
						       .entries = HV_EVENT_RING_COMPLETIONS_ENTRIES,
						       .take = completion_event};
	context->asyncs = (struct hv_event_taker){.context = context,
						  .offset = HV_EVENT_RING_ASYNCS_OFFSET,
						  .entries = HV_EVENT_RING_ASYNCS_ENTRIES,
						  .take = async_event};
	ibv->async_fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	if (ibv->async_fd < 0)
		return errno;
	hv_want_events(&context->completions);
	hv_want_events(&context->asyncs);
	error = hv_start_taker(&context->asyncs);
	if (error != 0)
		close(ibv->async_fd);
	return error;
}

void hv_stop_events(struct hv_context *context)
{
	hv_stop_taker(&context->completions);
	hv_stop_taker(&context->asyncs);
	close(context->verbs.context.async_fd);
}

int hv_listen(struct hv_cq *cq)
{
	struct hv_context *context = hv_context(cq->cq.context);
	int error = 0;

	pthread_mutex_lock(&context->events);
	if (cq->cq.channel != NULL) {
		error = hv_start_taker(&context->completions);
		if (error == 0)
			context->queues[cq->slot] = cq;
	}
	if (error == 0) {
		cq->next = context->first_cq;
		context->first_cq = cq;
	}
	pthread_mutex_unlock(&context->events);
	return error;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct hv_channel *channel = calloc(1, sizeof(*channel));

	if (channel == NULL)
		return hv_null(ENOMEM);
	channel->channel.context = context;
	channel->channel.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	if (channel->channel.fd < 0) {
		int error = errno;

		free(channel);
		return hv_null(error);
	}
	return &channel->channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	if (__atomic_load_n(&channel->refcnt, __ATOMIC_ACQUIRE) != 0)
		return EBUSY;
	close(channel->fd);
	free(channel);
	return 0;
}

// Waits, unless the program made the descriptor one that does not.
static int wait_for(int descriptor)
{
	uint64_t counted;

	return read(descriptor, &counted, sizeof(counted)) == (ssize_t)sizeof(counted) ? 0 : -1;
}

static struct hv_cq *next_cq(struct hv_context *context, struct hv_channel *channel)
{
	struct hv_cq *cq;

	pthread_mutex_lock(&context->events);
	cq = channel->first;
	if (cq != NULL) {
		channel->first = cq->next_pending;
		if (channel->first == NULL)
			channel->last = NULL;
		cq->is_pending = false;
		cq->events_taken++;
	}
	pthread_mutex_unlock(&context->events);
	return cq;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	struct hv_cq *found = NULL;

	while (found == NULL) {
		if (wait_for(channel->fd) != 0)
			return -1;
		found = next_cq(hv_context(channel->context), (struct hv_channel *)channel);
	}
	*cq = (struct ibv_cq *)&found->cq;
	*cq_context = found->cq.cq_context;
	return 0;
}

static void acknowledge(pthread_mutex_t *mutex, pthread_cond_t *condition, uint32_t *completed, uint32_t events)
{
	pthread_mutex_lock(mutex);
	*completed += events;
	pthread_cond_signal(condition);
	pthread_mutex_unlock(mutex);
}

static void await(pthread_mutex_t *mutex, pthread_cond_t *condition, const uint32_t *completed, uint32_t taken)
{
	pthread_mutex_lock(mutex);
	while (*completed != taken)
		pthread_cond_wait(condition, mutex);
	pthread_mutex_unlock(mutex);
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int events)
{
	acknowledge(&cq->mutex, &cq->cond, &cq->comp_events_completed, events);
}

static struct ibv_async_event *first_event(struct hv_context *context)
{
	if (context->first_pending == context->end_pending)
		return NULL;
	return &context->pending[context->first_pending % HV_MAX_ASYNCS];
}

static bool is_of_qp(const struct ibv_async_event *event)
{
	return event->event_type <= IBV_EVENT_PATH_MIG_ERR || event->event_type == IBV_EVENT_QP_LAST_WQE_REACHED;
}

static bool is_of_srq(const struct ibv_async_event *event)
{
	return event->event_type == IBV_EVENT_SRQ_ERR || event->event_type == IBV_EVENT_SRQ_LIMIT_REACHED;
}

static void taken(const struct ibv_async_event *event)
{
	if (event->event_type == IBV_EVENT_CQ_ERR)
		hv_cq(event->element.cq)->asyncs_taken++;
	else if (is_of_srq(event))
		hv_srq(event->element.srq)->asyncs_taken++;
	else if (is_of_qp(event))
		hv_qp(event->element.qp)->asyncs_taken++;
}

int ibv_get_async_event(struct ibv_context *ibv, struct ibv_async_event *event)
{
	struct hv_context *context = hv_context(ibv);
	bool found = false;

	while (!found) {
		struct ibv_async_event *first;

		if (wait_for(ibv->async_fd) != 0)
			return -1;
		pthread_mutex_lock(&context->events);
		first = first_event(context);
		found = first != NULL;
		if (found) {
			*event = *first;
			context->first_pending++;
			taken(event);
		}
		pthread_mutex_unlock(&context->events);
	}
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	if (event->event_type == IBV_EVENT_CQ_ERR) {
		struct ibv_cq *cq = event->element.cq;

		acknowledge(&cq->mutex, &cq->cond, &cq->async_events_completed, 1);
	} else if (is_of_srq(event)) {
		struct ibv_srq *srq = event->element.srq;

		acknowledge(&srq->mutex, &srq->cond, &srq->events_completed, 1);
	} else if (is_of_qp(event)) {
		struct ibv_qp *qp = event->element.qp;

		acknowledge(&qp->mutex, &qp->cond, &qp->events_completed, 1);
	}
}

// Drops the events of an object that nobody took. Under the lock.
static void drop_asyncs(struct hv_context *context, const void *object)
{
	uint32_t kept = context->first_pending;

	for (uint32_t i = context->first_pending; i != context->end_pending; i++) {
		struct ibv_async_event event = context->pending[i % HV_MAX_ASYNCS];
		bool is_port = event.event_type != IBV_EVENT_CQ_ERR && !is_of_srq(&event) && !is_of_qp(&event);

		if (is_port || (const void *)event.element.cq != object)
			context->pending[kept++ % HV_MAX_ASYNCS] = event;
	}
	context->end_pending = kept;
}

static void forget(struct hv_channel *channel, struct hv_cq *cq)
{
	struct hv_cq *before = NULL;

	for (struct hv_cq *each = channel->first; each != cq; each = each->next_pending)
		before = each;
	if (before == NULL)
		channel->first = cq->next_pending;
	else
		before->next_pending = cq->next_pending;
	if (channel->last == cq)
		channel->last = before;
	cq->is_pending = false;
}

void hv_end_cq_events(struct hv_cq *cq)
{
	struct hv_context *context = hv_context(cq->cq.context);
	struct hv_cq **link = &context->first_cq;

	pthread_mutex_lock(&context->events);
	while (*link != cq)
		link = &(*link)->next;
	*link = cq->next;
	if (context->queues[cq->slot] == cq)
		context->queues[cq->slot] = NULL;
	if (cq->is_pending)
		forget((struct hv_channel *)cq->cq.channel, cq);
	drop_asyncs(context, cq);
	pthread_mutex_unlock(&context->events);
	await(&cq->cq.mutex, &cq->cq.cond, &cq->cq.comp_events_completed, cq->events_taken);
	await(&cq->cq.mutex, &cq->cq.cond, &cq->cq.async_events_completed, cq->asyncs_taken);
}

void hv_end_qp_events(struct hv_qp *qp)
{
	struct ibv_qp *ibv = &qp->qp.qp_base;
	struct hv_context *context = hv_context(ibv->context);

	pthread_mutex_lock(&context->events);
	drop_asyncs(context, qp);
	pthread_mutex_unlock(&context->events);
	await(&ibv->mutex, &ibv->cond, &ibv->events_completed, qp->asyncs_taken);
}

void hv_end_srq_events(struct hv_srq *srq)
{
	struct hv_context *context = hv_context(srq->srq.context);
	struct hv_srq **link = &context->first_srq;

	pthread_mutex_lock(&context->events);
	while (*link != NULL && *link != srq)
		link = &(*link)->next;
	if (*link != NULL)
		*link = srq->next;
	drop_asyncs(context, srq);
	pthread_mutex_unlock(&context->events);
	await(&srq->srq.mutex, &srq->srq.cond, &srq->srq.events_completed, srq->asyncs_taken);
}
