// How sockets come to be connected, and how they end.
#include "rsocket.h"

#define RESOLVE_MS 2000

// A peer that is there takes what was sent within round trips: its program need not look.
#define FLUSH_MS 5000

#define MOST_RETRIES 7

struct hv_rs *hv_rs_lock(int number)
{
	struct hv_rs *rs = hv_rs_find(number);

	if (rs != NULL)
		pthread_mutex_lock(&rs->lock);
	return rs;
}

int hv_rs_answer(struct hv_rs *rs, int error)
{
	pthread_mutex_unlock(&rs->lock);
	return hv_cm_answer(error);
}

static struct rdma_event_channel *new_channel(void)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();

	if (channel != NULL)
		fcntl(channel->fd, F_SETFL, O_NONBLOCK);
	return channel;
}

int rsocket(int domain, int type, int protocol)
{
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct hv_rs *rs;

	if (domain != AF_INET && domain != AF_INET6)
		return hv_cm_answer(EAFNOSUPPORT);
	if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM || (protocol != 0 && protocol != IPPROTO_TCP))
		return hv_cm_answer(EPROTONOSUPPORT);
	channel = new_channel();
	if (channel == NULL)
		return -1;
	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) != 0) {
		rdma_destroy_event_channel(channel);
		return -1;
	}
	rs = hv_rs_new(domain, channel, id);
	if (rs == NULL) {
		rdma_destroy_id(id);
		rdma_destroy_event_channel(channel);
		return -1;
	}
	rs->flags = (type & SOCK_NONBLOCK) != 0 ? O_NONBLOCK : 0;
	return rs->number;
}

int rbind(int number, const struct sockaddr *address, socklen_t length)
{
	struct hv_rs *rs = hv_rs_lock(number);
	int reuse;
	int error = 0;

	if (rs == NULL)
		return -1;
	reuse = rs->reuses_address;
	if (length < sizeof(struct sockaddr_in) || rs->state != HV_RS_OPEN)
		error = EINVAL;
	else if (rdma_set_option(rs->id, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &reuse, sizeof(reuse)) != 0
		 || rdma_bind_addr(rs->id, (struct sockaddr *)address) != 0)
		error = errno;
	return hv_rs_answer(rs, error);
}

int rlisten(int number, int backlog)
{
	struct hv_rs *rs = hv_rs_lock(number);
	int error = 0;

	if (rs == NULL)
		return -1;
	if (rs->state == HV_RS_LISTENING)
		return hv_rs_answer(rs, 0);
	if (rs->state != HV_RS_OPEN)
		error = EINVAL;
	else if (rdma_listen(rs->id, backlog) != 0)
		error = errno;
	else
		rs->state = HV_RS_LISTENING;
	return hv_rs_answer(rs, error);
}

static void fail(struct hv_rs *rs, int error)
{
	if (rs->state == HV_RS_CONNECTING) {
		rs->state = HV_RS_FAILED;
		rs->error = error;
	} else {
		rs->is_gone = true;
	}
}

static void take_event(struct hv_rs *rs, const struct rdma_cm_event *event)
{
	switch (event->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		// The accepting side was ready before.
		if (rs->state != HV_RS_CONNECTING)
			break;
		if (hv_rs_take_hello(rs, &event->param.conn) == 0)
			rs->state = HV_RS_CONNECTED;
		else
			fail(rs, ECONNREFUSED);
		break;
	case RDMA_CM_EVENT_REJECTED: fail(rs, ECONNREFUSED); break;
	case RDMA_CM_EVENT_UNREACHABLE: fail(rs, ETIMEDOUT); break;
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_DISCONNECTED: fail(rs, ECONNRESET); break;
	default: break;
	}
}

void hv_rs_take_events(struct hv_rs *rs)
{
	struct rdma_cm_event *event;

	while (rdma_get_cm_event(rs->channel, &event) == 0) {
		take_event(rs, event);
		rdma_ack_cm_event(event);
	}
}

// Takes the event that the call before this has made.
static int answered(struct hv_rs *rs, enum rdma_cm_event_type expected)
{
	struct rdma_cm_event *event;
	int error = 0;

	if (rdma_get_cm_event(rs->channel, &event) != 0)
		return errno;
	if (event->event != expected)
		error = event->status < 0 ? -event->status : EHOSTUNREACH;
	rdma_ack_cm_event(event);
	return error;
}

static int resolve(struct hv_rs *rs, const struct sockaddr *address)
{
	int error;

	if (rdma_resolve_addr(rs->id, NULL, (struct sockaddr *)address, RESOLVE_MS) != 0)
		return errno;
	error = answered(rs, RDMA_CM_EVENT_ADDR_RESOLVED);
	if (error != 0)
		return error;
	return rdma_resolve_route(rs->id, RESOLVE_MS) == 0 ? answered(rs, RDMA_CM_EVENT_ROUTE_RESOLVED) : errno;
}

// `hello` has to be there until the parameters were used.
static struct rdma_conn_param parameters(const struct hv_rs_hello *hello)
{
	return (struct rdma_conn_param){
		.private_data = hello,
		.private_data_len = sizeof(*hello),
		.retry_count = MOST_RETRIES,
		.rnr_retry_count = MOST_RETRIES,
	};
}

// After a connection that failed, the next starts with an id that has none.
static int renew(struct hv_rs *rs)
{
	struct rdma_cm_id *id;

	if (rdma_create_id(rs->channel, &id, NULL, RDMA_PS_TCP) != 0)
		return errno;
	hv_rs_release(rs);
	rdma_destroy_id(rs->id);
	rs->id = id;
	rs->is_broken = false;
	rs->state = HV_RS_OPEN;
	return 0;
}

static int call(struct hv_rs *rs, const struct sockaddr *address)
{
	struct rdma_conn_param said;
	struct hv_rs_hello hello;
	int error = rs->state == HV_RS_FAILED ? renew(rs) : 0;

	if (error == 0)
		error = resolve(rs, address);
	if (error == 0)
		error = hv_rs_prepare(rs);
	if (error == 0) {
		hello = hv_rs_say_hello(rs);
		said = parameters(&hello);
		if (rdma_connect(rs->id, &said) != 0)
			error = errno;
	}
	rs->state = error == 0 ? HV_RS_CONNECTING : HV_RS_FAILED;
	return error;
}

static bool is_settled(struct hv_rs *rs)
{
	return rs->state != HV_RS_CONNECTING;
}

static int connect_to(struct hv_rs *rs, const struct sockaddr *address)
{
	int error;

	switch (rs->state) {
	case HV_RS_LISTENING: return EOPNOTSUPP;
	case HV_RS_CONNECTED: return EISCONN;
	case HV_RS_CONNECTING: return EALREADY;
	default: break;
	}
	error = call(rs, address);
	if (error != 0)
		return error;
	if (hv_rs_is_nonblocking(rs))
		return EINPROGRESS;
	error = hv_rs_wait(rs, is_settled, rs->send_ms);
	if (error != 0)
		return error == EAGAIN ? EINPROGRESS : error;
	error = rs->error;
	rs->error = 0;
	return error;
}

int rconnect(int number, const struct sockaddr *address, socklen_t length)
{
	struct hv_rs *rs = hv_rs_lock(number);

	if (rs == NULL)
		return -1;
	return hv_rs_answer(rs, length < sizeof(struct sockaddr_in) ? EINVAL : connect_to(rs, address));
}

static int accept_into(struct hv_rs *rs, const struct hv_rs *listener)
{
	struct hv_rs_hello hello;
	struct rdma_conn_param said;
	int error;

	rs->in_bytes = listener->in_bytes;
	rs->out_bytes = listener->out_bytes;
	rs->iomap_room = listener->iomap_room;
	error = hv_rs_prepare(rs);
	if (error != 0)
		return error;
	hello = hv_rs_say_hello(rs);
	said = parameters(&hello);
	if (rdma_accept(rs->id, &said) != 0)
		return errno;
	rs->state = HV_RS_CONNECTED;
	return 0;
}

// The socket of a call. `error` is 0 where the caller alone is to blame.
static struct hv_rs *adopt(const struct hv_rs *listener, struct rdma_cm_event *event, int *error)
{
	struct rdma_cm_id *id = event->id;
	struct rdma_event_channel *channel = new_channel();
	struct hv_rs *rs = NULL;
	bool is_known = false;

	*error = 0;
	if (channel == NULL || rdma_migrate_id(id, channel) != 0)
		*error = errno;
	else
		rs = hv_rs_new(listener->family, channel, id);
	if (rs != NULL) {
		is_known = hv_rs_take_hello(rs, &event->param.conn) == 0;
		if (is_known)
			*error = accept_into(rs, listener);
	} else if (*error == 0) {
		*error = errno;
	}
	rdma_ack_cm_event(event);
	if (is_known && *error == 0)
		return rs;
	rdma_reject(id, NULL, 0);
	if (rs != NULL) {
		hv_rs_release(rs);
		hv_rs_forget(rs);
	}
	rdma_destroy_id(id);
	if (channel != NULL)
		rdma_destroy_event_channel(channel);
	return NULL;
}

// A listener's lock is not held while it waits.
static int wait_for_call(const struct hv_rs *listener)
{
	struct pollfd called = {.fd = listener->channel->fd, .events = POLLIN};

	if (hv_rs_is_nonblocking(listener))
		return EAGAIN;
	return poll(&called, 1, -1) < 0 ? errno : 0;
}

static struct hv_rs *next_call(struct hv_rs *listener, int *error)
{
	struct rdma_cm_event *event;
	struct hv_rs *rs = NULL;

	*error = listener->state == HV_RS_LISTENING ? 0 : EINVAL;
	while (*error == 0 && rs == NULL) {
		if (rdma_get_cm_event(listener->channel, &event) != 0) {
			*error = errno == EAGAIN ? wait_for_call(listener) : errno;
			continue;
		}
		if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
			rs = adopt(listener, event, error);
		else
			rdma_ack_cm_event(event);
	}
	return rs;
}

// As the socket's family has them.
static void give_address(const struct hv_rs *rs, const struct sockaddr *known, struct sockaddr *address,
			 socklen_t *length)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)known;
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = four->sin_port};
	const void *from = known;
	socklen_t bytes = sizeof(*four);

	if (known->sa_family == AF_INET6) {
		bytes = sizeof(six);
	} else if (rs->family == AF_INET6) {
		if (four->sin_addr.s_addr != htonl(INADDR_ANY)) {
			memset(&six.sin6_addr.s6_addr[10], 0xff, 2);
			memcpy(&six.sin6_addr.s6_addr[12], &four->sin_addr, sizeof(four->sin_addr));
		}
		from = &six;
		bytes = sizeof(six);
	}
	memcpy(address, from, *length < bytes ? *length : bytes);
	if (rs->family == AF_INET && *length >= sizeof(sa_family_t))
		address->sa_family = AF_INET;
	*length = bytes;
}

int raccept(int number, struct sockaddr *address, socklen_t *length)
{
	struct hv_rs *listener = hv_rs_find(number);
	struct hv_rs *rs;
	int error;

	if (listener == NULL)
		return -1;
	rs = next_call(listener, &error);
	if (rs == NULL)
		return hv_cm_answer(error);
	if (address != NULL && length != NULL)
		give_address(rs, &rs->id->route.addr.dst_addr, address, length);
	return rs->number;
}

int rgetsockname(int number, struct sockaddr *address, socklen_t *length)
{
	struct hv_rs *rs = hv_rs_lock(number);

	if (rs == NULL)
		return -1;
	give_address(rs, &rs->id->route.addr.src_addr, address, length);
	return hv_rs_answer(rs, 0);
}

int rgetpeername(int number, struct sockaddr *address, socklen_t *length)
{
	struct hv_rs *rs = hv_rs_lock(number);

	if (rs == NULL)
		return -1;
	if (rs->state != HV_RS_CONNECTED)
		return hv_rs_answer(rs, ENOTCONN);
	give_address(rs, &rs->id->route.addr.dst_addr, address, length);
	return hv_rs_answer(rs, 0);
}

int rshutdown(int number, int how)
{
	struct hv_rs *rs = hv_rs_lock(number);

	if (rs == NULL)
		return -1;
	if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
		return hv_rs_answer(rs, EINVAL);
	if (rs->state != HV_RS_CONNECTED)
		return hv_rs_answer(rs, ENOTCONN);
	if (how != SHUT_RD && !rs->has_ended)
		hv_rs_send_end(rs);
	if (how != SHUT_WR) {
		rs->reads_no_more = true;
		rs->in_read = rs->in_written;
		hv_rs_tell(rs);
	}
	return hv_rs_answer(rs, 0);
}

static bool is_flushed(struct hv_rs *rs)
{
	return rs->sends == 0 || hv_rs_is_over(rs);
}

int rclose(int number)
{
	struct hv_rs *rs = hv_rs_lock(number);
	struct rdma_event_channel *channel;

	if (rs == NULL)
		return -1;
	if (rs->state == HV_RS_CONNECTED) {
		bool lingers = rs->linger.l_onoff == 0 || rs->linger.l_linger > 0;

		if (lingers && !rs->has_ended)
			hv_rs_send_end(rs);
		if (lingers)
			hv_rs_wait(rs, is_flushed, FLUSH_MS);
		rdma_disconnect(rs->id);
	}
	hv_rs_release(rs);
	channel = rs->channel;
	rdma_destroy_id(rs->id);
	rdma_destroy_event_channel(channel);
	pthread_mutex_unlock(&rs->lock);
	hv_rs_forget(rs);
	return 0;
}
