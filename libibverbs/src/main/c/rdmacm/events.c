// Events on their way to the program.
#include <poll.h>
#include <unistd.h>

#include "../counter.h"
#include "../packets.h"
#include "cm.h"

#define SIDR_UNSUPPORTED 1
#define SIDR_REJECTED 2
#define SIDR_NO_QP 3

static struct hv_cm_channel *channel_of(const struct hv_cm_event *event)
{
	return (struct hv_cm_channel *)event->counted->id.channel;
}

// An event that is taken out counts no longer, unless a thread has read that count: it looks in vain, and reads again.
static void uncount(int descriptor)
{
	struct pollfd counted = {.fd = descriptor, .events = POLLIN};
	uint64_t one;
	ssize_t got = 0;

	if (poll(&counted, 1, 0) == 1)
		got = read(descriptor, &one, sizeof(one));
	(void)got;
}

struct hv_cm_event *hv_cm_new_event(struct hv_cm_id *id, enum rdma_cm_event_type type, int status)
{
	struct hv_cm_event *event = hv_cm_take_block();

	if (event == NULL)
		return NULL;
	event->event.id = &id->id;
	event->event.event = type;
	event->event.status = status;
	event->counted = id;
	return event;
}

void hv_cm_post(struct hv_cm_event *event)
{
	struct hv_cm_channel *channel = channel_of(event);

	event->next = NULL;
	if (channel->last == NULL)
		channel->first = event;
	else
		channel->last->next = event;
	channel->last = event;
	hv_count(channel->channel.fd);
}

int hv_cm_say(struct hv_cm_id *id, enum rdma_cm_event_type type, int status)
{
	struct hv_cm_event *event = hv_cm_new_event(id, type, status);

	if (event == NULL)
		return ENOMEM;
	pthread_mutex_lock(&hv_cm.lock);
	hv_cm_post(event);
	pthread_mutex_unlock(&hv_cm.lock);
	return 0;
}

struct hv_cm_event *hv_cm_take_out(struct hv_cm_id *id)
{
	struct hv_cm_channel *channel = (struct hv_cm_channel *)id->id.channel;
	struct hv_cm_event **link = &channel->first;
	struct hv_cm_event *taken = NULL;
	struct hv_cm_event **end = &taken;

	channel->last = NULL;
	while (*link != NULL) {
		struct hv_cm_event *event = *link;

		if (event->counted != id) {
			channel->last = event;
			link = &event->next;
			continue;
		}
		*link = event->next;
		event->next = NULL;
		*end = event;
		end = &event->next;
		uncount(channel->channel.fd);
	}
	return taken;
}

// Length of the peer's private data, which is copied; 0 if there is none.
static uint8_t copy_data(struct hv_cm_event *event, const struct hv_cm_notice *notice)
{
	size_t length = (size_t)(notice->data.end - notice->data.at);
	size_t header = notice->type == RDMA_CM_EVENT_CONNECT_REQUEST ? HV_CM_HEADER_BYTES : 0;

	if (length <= header || length - header >= sizeof(event->data))
		return 0;
	memcpy(event->data, notice->data.at + header, length - header);
	return (uint8_t)(length - header);
}

// Where the peer takes datagrams; all but the private data is zero in a request.
static void describe_datagrams(struct hv_cm_event *event, const struct hv_cm_notice *notice)
{
	struct rdma_ud_param *ud = &event->event.param.ud;

	ud->private_data_len = copy_data(event, notice);
	if (ud->private_data_len > 0)
		ud->private_data = event->data;
	if (notice->type == RDMA_CM_EVENT_ESTABLISHED) {
		ud->ah_attr = hv_cm_address(&notice->path);
		ud->qp_num = notice->offer.qpn;
		ud->qkey = notice->offer.qkey;
	}
}

// The peer's words from the program's side: what it can answer, the program may ask.
static void describe_connection(struct hv_cm_event *event, const struct hv_cm_notice *notice)
{
	struct rdma_conn_param *conn = &event->event.param.conn;

	event->offer = notice->offer;
	conn->responder_resources = notice->offer.initiator_depth;
	conn->initiator_depth = notice->offer.responder_resources;
	conn->retry_count = notice->offer.retry_count;
	conn->rnr_retry_count = notice->offer.rnr_retry_count;
	conn->flow_control = 1;
	conn->qp_num = notice->offer.qpn;
	conn->private_data_len = copy_data(event, notice);
	if (conn->private_data_len > 0)
		conn->private_data = event->data;
}

static struct hv_cm_id *listener_of(uint64_t service_id)
{
	for (struct hv_cm_id *id = hv_cm.first; id != NULL; id = id->next) {
		if (id->listener != 0 && id->service_id == service_id)
			return id;
	}
	return NULL;
}

static struct hv_cm_id *connected_by(uint64_t connection)
{
	for (struct hv_cm_id *id = hv_cm.first; id != NULL; id = id->next) {
		if (id->connection == connection)
			return id;
	}
	return NULL;
}

static enum ibv_qp_type qp_type_of(uint32_t code)
{
	switch (code) {
	case HV_QP_TYPE_UD: return IBV_QPT_UD;
	case HV_QP_TYPE_UC: return IBV_QPT_UC;
	default: return IBV_QPT_RC;
	}
}

// The id of a call; NULL if nobody listens any more, or to calls of another kind, or the call has no addresses in it.
static struct hv_cm_id *called(const struct hv_cm_notice *notice, struct hv_cm_id *listener)
{
	enum ibv_qp_type type = qp_type_of(notice->offer.type);
	struct hv_cm_id *id;

	if (listener == NULL || hv_cm_is_datagram(listener) != (type == IBV_QPT_UD))
		return NULL;
	id = hv_cm_new_id(listener->id.channel, listener->id.context, listener->id.ps, type);
	if (id == NULL)
		return NULL;
	id->is_called = true;
	id->is_bound = true;
	id->connection = notice->connection;
	id->path = notice->path;
	id->peer = notice->offer;
	id->has_peer = true;
	id->own.type = notice->offer.type;
	// Until the program says less.
	id->own.responder_resources = notice->offer.initiator_depth;
	id->own.initiator_depth = notice->offer.responder_resources;
	if (!hv_cm_read_header(id, &notice->data, notice->service_id)) {
		hv_cm_give_block(id);
		return NULL;
	}
	hv_cm_give_device(id);
	return id;
}

// What a SIDR_REP says of a request that was not granted (IBA 12.11.2).
static int sidr_status(uint32_t reject)
{
	switch (reject) {
	case HV_REJECT_REASON_INVALID_SERVICE_ID: return SIDR_UNSUPPORTED;
	case HV_REJECT_REASON_NO_RESOURCES: return SIDR_NO_QP;
	default: return SIDR_REJECTED;
	}
}

static int status_of(const struct hv_cm_notice *notice)
{
	if (notice->type == RDMA_CM_EVENT_UNREACHABLE && notice->reject != HV_REJECT_REASON_NONE)
		return sidr_status(notice->reject);
	if (notice->type == RDMA_CM_EVENT_REJECTED)
		return (int)notice->reject;
	return notice->status == 0 ? 0 : -hv_status_errno(notice->status);
}

static struct hv_cm_event *event_of(const struct hv_cm_notice *notice)
{
	struct hv_cm_id *listener = NULL;
	struct hv_cm_id *id;
	struct hv_cm_event *event;

	if (notice->type == RDMA_CM_EVENT_CONNECT_REQUEST) {
		listener = listener_of(notice->service_id);
		id = called(notice, listener);
	} else {
		id = connected_by(notice->connection);
	}
	event = id == NULL ? NULL : hv_cm_new_event(id, notice->type, status_of(notice));
	if (event == NULL) {
		if (listener != NULL && id != NULL)
			hv_cm_give_block(id);
		return NULL;
	}
	if (hv_cm_is_datagram(id))
		describe_datagrams(event, notice);
	else
		describe_connection(event, notice);
	if (listener != NULL) {
		event->event.listen_id = &listener->id;
		event->counted = listener;
		id->next = hv_cm.first;
		hv_cm.first = id;
	}
	return event;
}

void hv_cm_arrived(const struct hv_cm_notice *notice)
{
	struct hv_cm_event *event;

	pthread_mutex_lock(&hv_cm.lock);
	event = event_of(notice);
	if (event != NULL)
		hv_cm_post(event);
	pthread_mutex_unlock(&hv_cm.lock);
	// A call for nobody is rejected by that.
	if (event == NULL && notice->type == RDMA_CM_EVENT_CONNECT_REQUEST)
		hv_cm_release(notice->connection);
}

// The peer accepted: moves the queue pair, and says that it is ready.
static void process_response(struct hv_cm_id *id, struct hv_cm_event *event)
{
	int error;

	id->peer = event->offer;
	id->has_peer = true;
	if (id->id.qp == NULL)
		return;
	error = hv_cm_to_rts(id);
	if (error == 0)
		error = hv_cm_answer_with(id->connection, HV_MANAGEMENT_REQUEST_ANSWER_KIND_RTU, NULL, 0);
	else
		hv_cm_answer_with(id->connection, HV_MANAGEMENT_REQUEST_ANSWER_KIND_REJ, NULL, 0);
	event->event.event = error == 0 ? RDMA_CM_EVENT_ESTABLISHED : RDMA_CM_EVENT_CONNECT_ERROR;
	event->event.status = -error;
}

static struct hv_cm_event *next_event(struct hv_cm_channel *channel)
{
	struct hv_cm_event *event;

	pthread_mutex_lock(&hv_cm.lock);
	event = channel->first;
	if (event != NULL) {
		channel->first = event->next;
		if (channel->first == NULL)
			channel->last = NULL;
		event->counted->events_taken++;
	}
	pthread_mutex_unlock(&hv_cm.lock);
	return event;
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **got)
{
	struct hv_cm_event *event = NULL;

	if (got == NULL)
		return hv_cm_answer(EINVAL);
	while (event == NULL) {
		uint64_t counted;

		// Waits, unless the program made the descriptor one that does not.
		if (read(channel->fd, &counted, sizeof(counted)) != (ssize_t)sizeof(counted))
			return -1;
		event = next_event((struct hv_cm_channel *)channel);
	}
	if (event->event.event == RDMA_CM_EVENT_CONNECT_RESPONSE)
		process_response(hv_cm_id(event->event.id), event);
	else if (event->event.event == RDMA_CM_EVENT_REJECTED)
		hv_cm_to_error(hv_cm_id(event->event.id));
	*got = &event->event;
	return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *got)
{
	struct hv_cm_event *event = (struct hv_cm_event *)got;

	if (got == NULL)
		return hv_cm_answer(EINVAL);
	pthread_mutex_lock(&hv_cm.lock);
	event->counted->events_acked++;
	pthread_cond_broadcast(&hv_cm.acked);
	pthread_mutex_unlock(&hv_cm.lock);
	hv_cm_give_block(event);
	return 0;
}
