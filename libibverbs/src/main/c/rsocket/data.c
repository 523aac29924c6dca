// Sending and receiving.
#include "rsocket.h"

// There is no second stream for urgent bytes. Other flags that are unknown here are hints.
#define REFUSED_FLAGS MSG_OOB

static bool waits(const struct hv_rs *rs, int flags)
{
	return !hv_rs_is_nonblocking(rs) && (flags & MSG_DONTWAIT) == 0;
}

// What keeps a socket from sending or receiving before it is connected; it reports a failure once.
static int unconnected(struct hv_rs *rs, bool waits)
{
	int error = ENOTCONN;

	if (rs->state == HV_RS_CONNECTING)
		return waits ? ENOTCONN : EAGAIN;
	if (rs->state == HV_RS_FAILED && rs->error != 0) {
		error = rs->error;
		rs->error = 0;
	}
	return error;
}

static int unable_to_send(struct hv_rs *rs)
{
	if (rs->is_broken)
		return ECONNRESET;
	return rs->has_ended || rs->is_gone ? EPIPE : 0;
}

static bool can_send(struct hv_rs *rs)
{
	return hv_rs_room(rs) > 0 || unable_to_send(rs) != 0;
}

// Sends as much as there is room for, all of it if it waits. Bytes sent; with none, `error` says why.
static size_t send_bytes(struct hv_rs *rs, const uint8_t *bytes, size_t length, bool waits, int *error)
{
	size_t sent = 0;

	*error = unable_to_send(rs);
	while (sent < length && *error == 0) {
		uint32_t room = hv_rs_room(rs);

		if (room == 0) {
			hv_rs_look(rs);
			if (can_send(rs))
				*error = unable_to_send(rs);
			else
				*error = waits ? hv_rs_wait(rs, can_send, rs->send_ms) : EAGAIN;
			continue;
		}
		if (room > length - sent)
			room = (uint32_t)(length - sent);
		hv_rs_send(rs, bytes + sent, room);
		sent += room;
		*error = unable_to_send(rs);
	}
	return sent;
}

static ssize_t send_parts(int number, const struct iovec *parts, size_t count, int flags)
{
	struct hv_rs *rs = hv_rs_lock(number);
	size_t sent = 0;
	int error = 0;

	if (rs == NULL)
		return -1;
	hv_rs_look(rs);
	if ((flags & REFUSED_FLAGS) != 0)
		error = EOPNOTSUPP;
	else if (rs->state != HV_RS_CONNECTED)
		error = unconnected(rs, waits(rs, flags));
	for (size_t i = 0; i < count && error == 0; i++)
		sent += send_bytes(rs, parts[i].iov_base, parts[i].iov_len, waits(rs, flags), &error);
	hv_rs_answer(rs, sent > 0 ? 0 : error);
	return sent > 0 || error == 0 ? (ssize_t)sent : -1;
}

static bool can_receive(struct hv_rs *rs)
{
	return hv_rs_available(rs) > 0 || hv_rs_has_ended(rs);
}

// Copies from the ring what is there.
static uint32_t copy_out(const struct hv_rs *rs, uint8_t *bytes, size_t length)
{
	uint32_t count = hv_rs_available(rs);
	uint32_t at = rs->in_read % rs->in_bytes;
	uint32_t first = rs->in_bytes - at;

	if (count > length)
		count = (uint32_t)length;
	if (first > count)
		first = count;
	memcpy(bytes, rs->in + at, first);
	memcpy(bytes + first, rs->in, count - first);
	return count;
}

// Whether the program gets what is there, or waits for more.
static bool is_enough(struct hv_rs *rs, size_t wanted, int flags)
{
	return hv_rs_has_ended(rs) || ((flags & MSG_WAITALL) == 0 ? hv_rs_available(rs) > 0 : hv_rs_available(rs) >= wanted);
}

static size_t receive_bytes(struct hv_rs *rs, uint8_t *bytes, size_t length, int flags, int *error)
{
	size_t received = 0;

	*error = 0;
	if (!is_enough(rs, length, flags))
		hv_rs_look(rs);
	for (;;) {
		uint32_t got = copy_out(rs, bytes + received, length - received);

		received += got;
		if ((flags & MSG_PEEK) == 0) {
			rs->in_read += got;
			hv_rs_tell(rs);
		}
		if (received == length || (received > 0 && (flags & (MSG_WAITALL | MSG_PEEK)) != MSG_WAITALL))
			break;
		if (hv_rs_has_ended(rs)) {
			*error = rs->is_broken && !rs->has_end ? ECONNRESET : 0;
			break;
		}
		*error = waits(rs, flags) ? hv_rs_wait(rs, can_receive, rs->receive_ms) : EAGAIN;
		if (*error != 0)
			break;
	}
	return received;
}

static ssize_t receive_parts(int number, const struct iovec *parts, size_t count, int flags)
{
	struct hv_rs *rs = hv_rs_lock(number);
	size_t received = 0;
	int error = 0;

	if (rs == NULL)
		return -1;
	if (rs->state != HV_RS_CONNECTED) {
		hv_rs_look(rs);
		if (rs->state != HV_RS_CONNECTED)
			error = unconnected(rs, waits(rs, flags));
	}
	if (error == 0 && (flags & (REFUSED_FLAGS | MSG_ERRQUEUE)) != 0)
		error = EOPNOTSUPP;
	for (size_t i = 0; i < count && error == 0; i++) {
		// Nothing is waited for once there is something.
		int more = received == 0 || (flags & MSG_WAITALL) != 0 ? flags : flags | MSG_DONTWAIT;
		size_t got = receive_bytes(rs, parts[i].iov_base, parts[i].iov_len, more, &error);

		received += got;
		if (got < parts[i].iov_len)
			break;
	}
	hv_rs_answer(rs, received > 0 ? 0 : error);
	return received > 0 || error == 0 ? (ssize_t)received : -1;
}

ssize_t rrecv(int number, void *bytes, size_t length, int flags)
{
	struct iovec part = {.iov_base = bytes, .iov_len = length};

	return receive_parts(number, &part, 1, flags);
}

ssize_t rrecvfrom(int number, void *bytes, size_t length, int flags, struct sockaddr *address, socklen_t *room)
{
	ssize_t received = rrecv(number, bytes, length, flags);

	if (received >= 0 && address != NULL && room != NULL && rgetpeername(number, address, room) != 0)
		*room = 0;
	return received;
}

ssize_t rrecvmsg(int number, struct msghdr *message, int flags)
{
	message->msg_controllen = 0;
	message->msg_flags = 0;
	message->msg_namelen = 0;
	// A part after the first that is peeked at would be the first again.
	if ((flags & MSG_PEEK) != 0)
		return receive_parts(number, message->msg_iov, message->msg_iovlen > 0 ? 1 : 0, flags);
	return receive_parts(number, message->msg_iov, message->msg_iovlen, flags);
}

ssize_t rread(int number, void *bytes, size_t length)
{
	return rrecv(number, bytes, length, 0);
}

ssize_t rreadv(int number, const struct iovec *parts, int count)
{
	return count < 0 ? hv_cm_answer(EINVAL) : receive_parts(number, parts, (size_t)count, 0);
}

ssize_t rsend(int number, const void *bytes, size_t length, int flags)
{
	struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};

	return send_parts(number, &part, 1, flags);
}

ssize_t rsendto(int number, const void *bytes, size_t length, int flags, const struct sockaddr *address, socklen_t room)
{
	(void)room;
	return address != NULL ? hv_cm_answer(EISCONN) : rsend(number, bytes, length, flags);
}

ssize_t rsendmsg(int number, const struct msghdr *message, int flags)
{
	// Descriptors and the like do not go to another guest.
	if (message->msg_controllen > 0)
		return hv_cm_answer(EOPNOTSUPP);
	return send_parts(number, message->msg_iov, message->msg_iovlen, flags);
}

ssize_t rwrite(int number, const void *bytes, size_t length)
{
	return rsend(number, bytes, length, 0);
}

ssize_t rwritev(int number, const struct iovec *parts, int count)
{
	return count < 0 ? hv_cm_answer(EINVAL) : send_parts(number, parts, (size_t)count, 0);
}
