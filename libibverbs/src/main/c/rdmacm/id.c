// Event channels and ids.
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "cm.h"

#define PSN_MASK 0xffffff

static struct hv_cm_channel *new_channel(void)
{
	struct hv_cm_channel *channel = calloc(1, sizeof(*channel));
	int error;

	if (channel == NULL)
		return hv_null(ENOMEM);
	channel->channel.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	if (channel->channel.fd >= 0)
		return channel;
	error = errno;
	free(channel);
	return hv_null(error);
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
	int error = hv_cm_open();
	struct hv_cm_channel *channel = error == 0 ? new_channel() : hv_null(error);

	return channel == NULL ? NULL : &channel->channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
	close(channel->fd);
	free(channel);
}

struct hv_cm_id *hv_cm_new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space space,
			      enum ibv_qp_type type)
{
	struct hv_cm_id *id = hv_cm_take_block();
	uint32_t psn;

	if (id == NULL)
		return NULL;
	id->id.channel = channel;
	id->id.context = context;
	id->id.ps = space;
	id->id.qp_type = type;
	if (getrandom(&psn, sizeof(psn), 0) != sizeof(psn))
		psn = (uint32_t)(uintptr_t)id;
	id->own.psn = psn & PSN_MASK;
	return id;
}

static int make_id(struct rdma_event_channel *channel, struct rdma_cm_id **made, void *context,
		   enum rdma_port_space space, enum ibv_qp_type type)
{
	struct hv_cm_channel *own = NULL;
	struct hv_cm_id *id;
	int error = hv_cm_open();

	if (error != 0)
		return error;
	if (channel == NULL) {
		own = new_channel();
		if (own == NULL)
			return errno;
		channel = &own->channel;
	}
	id = hv_cm_new_id(channel, context, space, type);
	if (id == NULL) {
		if (own != NULL)
			rdma_destroy_event_channel(&own->channel);
		return ENOMEM;
	}
	id->is_sync = own != NULL;
	pthread_mutex_lock(&hv_cm.lock);
	id->next = hv_cm.first;
	hv_cm.first = id;
	pthread_mutex_unlock(&hv_cm.lock);
	*made = &id->id;
	return 0;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context,
		   enum rdma_port_space space)
{
	if (space != RDMA_PS_TCP && space != RDMA_PS_UDP)
		return hv_cm_answer(EOPNOTSUPP);
	return hv_cm_answer(
		make_id(channel, id, context, space, space == RDMA_PS_UDP ? IBV_QPT_UD : IBV_QPT_RC));
}

static void unlink_id(struct hv_cm_id *id)
{
	struct hv_cm_id **link = &hv_cm.first;

	while (*link != NULL && *link != id)
		link = &(*link)->next;
	if (*link != NULL)
		*link = id->next;
}

// Calls that nobody got go with the events that brought them.
static void drop(struct hv_cm_event *events, const struct hv_cm_id *of)
{
	while (events != NULL) {
		struct hv_cm_event *next = events->next;

		if (events->event.id != &of->id)
			rdma_destroy_id(events->event.id);
		hv_cm_give_block(events);
		events = next;
	}
}

int rdma_destroy_id(struct rdma_cm_id *rdma)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	struct hv_cm_event *left;

	if (rdma->event != NULL)
		rdma_ack_cm_event(rdma->event);
	pthread_mutex_lock(&hv_cm.lock);
	unlink_id(id);
	left = hv_cm_take_out(id);
	pthread_mutex_unlock(&hv_cm.lock);
	// What the connection manager does not know any more is gone.
	if (id->listener != 0)
		hv_cm_release(id->listener);
	if (id->connection != 0)
		hv_cm_release(id->connection);
	hv_cm_leave_all(id);
	drop(left, id);
	pthread_mutex_lock(&hv_cm.lock);
	while (id->events_acked != id->events_taken)
		pthread_cond_wait(&hv_cm.acked, &hv_cm.lock);
	pthread_mutex_unlock(&hv_cm.lock);
	if (id->is_sync)
		rdma_destroy_event_channel(rdma->channel);
	free(rdma->route.path_rec);
	free(id->qp_attributes);
	free(id->connect_data);
	hv_cm_give_block(id);
	return 0;
}

// Its events and, of a listener, the calls among them go along. Under the lock.
static void move(struct hv_cm_id *id, struct rdma_event_channel *channel)
{
	struct hv_cm_event *moved = hv_cm_take_out(id);

	id->id.channel = channel;
	while (moved != NULL) {
		struct hv_cm_event *next = moved->next;
		struct hv_cm_id *called = hv_cm_id(moved->event.id);

		hv_cm_post(moved);
		if (called != id)
			move(called, channel);
		moved = next;
	}
}

// Events that were got are acknowledged first: their program looks at the former channel.
int rdma_migrate_id(struct rdma_cm_id *rdma, struct rdma_event_channel *channel)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	struct rdma_event_channel *former = rdma->channel;
	bool was_sync = id->is_sync;
	struct hv_cm_channel *own = channel == NULL ? new_channel() : NULL;

	if (channel == NULL && own == NULL)
		return -1;
	if (was_sync && rdma->event != NULL) {
		rdma_ack_cm_event(rdma->event);
		rdma->event = NULL;
	}
	pthread_mutex_lock(&hv_cm.lock);
	move(id, own != NULL ? &own->channel : channel);
	id->is_sync = own != NULL;
	while (id->events_acked != id->events_taken)
		pthread_cond_wait(&hv_cm.acked, &hv_cm.lock);
	pthread_mutex_unlock(&hv_cm.lock);
	if (was_sync)
		rdma_destroy_event_channel(former);
	return 0;
}

int hv_cm_complete(struct hv_cm_id *id)
{
	struct rdma_cm_event *event;

	if (!id->is_sync)
		return 0;
	if (id->id.event != NULL) {
		rdma_ack_cm_event(id->id.event);
		id->id.event = NULL;
	}
	if (rdma_get_cm_event(id->id.channel, &id->id.event) != 0)
		return errno;
	event = id->id.event;
	if (event->status == 0)
		return 0;
	if (event->event == RDMA_CM_EVENT_REJECTED)
		return ECONNREFUSED;
	return event->status < 0 ? -event->status : event->status;
}
