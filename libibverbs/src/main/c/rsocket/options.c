// Options and flags of sockets.
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rsocket.h"

// Options that a stream over RDMA has no use for: they are remembered, for what asks after them.
static const struct {
	int level;
	int name;
} remembered[] = {
	{SOL_SOCKET, SO_KEEPALIVE}, {SOL_SOCKET, SO_OOBINLINE}, {SOL_SOCKET, SO_REUSEPORT},
	{IPPROTO_TCP, TCP_NODELAY}, {IPPROTO_IPV6, IPV6_V6ONLY},
};

// Those with a number that changes nothing either.
static bool is_of_no_use(int level, int name)
{
	if (level == IPPROTO_TCP)
		return name == TCP_KEEPIDLE || name == TCP_KEEPINTVL || name == TCP_KEEPCNT || name == TCP_USER_TIMEOUT
		       || name == TCP_MAXSEG;
	return (level == IPPROTO_IP && name == IP_TOS) || (level == IPPROTO_IPV6 && name == IPV6_TCLASS);
}

static int remembered_index(int level, int name)
{
	for (size_t i = 0; i < sizeof(remembered) / sizeof(remembered[0]); i++) {
		if (remembered[i].level == level && remembered[i].name == name)
			return (int)i;
	}
	return -1;
}

// A power of two: counts of bytes go round at 2^32.
static uint32_t ring_bytes(int wanted)
{
	uint32_t bytes = HV_RS_MIN_RING_BYTES;

	while (bytes < HV_RS_MAX_RING_BYTES && (int)bytes < wanted)
		bytes *= 2;
	return bytes;
}

static bool has_rings(const struct hv_rs *rs)
{
	return rs->in != NULL;
}

// Of SOL_SOCKET, those that are no int.
static int set_structure(struct hv_rs *rs, int name, const void *value, socklen_t length)
{
	if (name == SO_LINGER) {
		if (length < sizeof(rs->linger))
			return EINVAL;
		memcpy(&rs->linger, value, sizeof(rs->linger));
		return 0;
	}
	if (length < sizeof(struct timeval))
		return EINVAL;
	*(name == SO_RCVTIMEO ? &rs->receive_ms : &rs->send_ms) = hv_rs_to_ms(value);
	return 0;
}

static int set_number(struct hv_rs *rs, int level, int name, int value)
{
	int index = remembered_index(level, name);

	if (index >= 0) {
		rs->booleans = value != 0 ? rs->booleans | 1 << index : rs->booleans & ~(1 << index);
		return 0;
	}
	if (is_of_no_use(level, name))
		return 0;
	if (level == SOL_SOCKET && name == SO_REUSEADDR) {
		rs->reuses_address = value != 0;
		return 0;
	}
	// Rings stay as they were made.
	if (level == SOL_SOCKET && (name == SO_RCVBUF || name == SO_SNDBUF)) {
		if (!has_rings(rs))
			*(name == SO_RCVBUF ? &rs->in_bytes : &rs->out_bytes) = ring_bytes(value);
		return 0;
	}
	if (level == SOL_RDMA && name == RDMA_IOMAPSIZE) {
		if (value < 0 || has_rings(rs))
			return EINVAL;
		rs->iomap_room = (uint16_t)(value > HV_RS_MAX_IOMAPS ? HV_RS_MAX_IOMAPS : value);
		return 0;
	}
	// Queues have as many places as the stream makes use of, and nothing is inline.
	if (level == SOL_RDMA && (name == RDMA_SQSIZE || name == RDMA_RQSIZE || name == RDMA_INLINE))
		return 0;
	return ENOPROTOOPT;
}

int rsetsockopt(int number, int level, int name, const void *value, socklen_t length)
{
	struct hv_rs *rs = hv_rs_lock(number);
	int error;
	int given;

	if (rs == NULL)
		return -1;
	if (level == SOL_SOCKET && (name == SO_LINGER || name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
		error = set_structure(rs, name, value, length);
	} else if (length < sizeof(given)) {
		error = EINVAL;
	} else {
		memcpy(&given, value, sizeof(given));
		error = set_number(rs, level, name, given);
	}
	return hv_rs_answer(rs, error);
}

static struct timeval from_ms(int ms)
{
	return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
}

static int number_of(struct hv_rs *rs, int level, int name, int *value)
{
	int index = remembered_index(level, name);

	if (index >= 0) {
		*value = rs->booleans >> index & 1;
		return 0;
	}
	if (level == SOL_SOCKET) {
		switch (name) {
		case SO_ERROR:
			hv_rs_look(rs);
			*value = rs->error;
			rs->error = 0;
			return 0;
		case SO_TYPE: *value = SOCK_STREAM; return 0;
		case SO_DOMAIN: *value = rs->family; return 0;
		case SO_PROTOCOL: *value = IPPROTO_TCP; return 0;
		case SO_ACCEPTCONN: *value = rs->state == HV_RS_LISTENING; return 0;
		case SO_REUSEADDR: *value = rs->reuses_address; return 0;
		case SO_RCVBUF: *value = (int)rs->in_bytes; return 0;
		case SO_SNDBUF: *value = (int)rs->out_bytes; return 0;
		default: return ENOPROTOOPT;
		}
	}
	if (level == IPPROTO_TCP && name == TCP_MAXSEG) {
		*value = HV_RS_CHUNK_BYTES;
		return 0;
	}
	if (level == SOL_RDMA) {
		switch (name) {
		case RDMA_SQSIZE:
		case RDMA_RQSIZE: *value = HV_RS_MESSAGES; return 0;
		case RDMA_INLINE: *value = 0; return 0;
		case RDMA_IOMAPSIZE: *value = rs->iomap_room; return 0;
		default: return ENOPROTOOPT;
		}
	}
	if (is_of_no_use(level, name)) {
		*value = 0;
		return 0;
	}
	return ENOPROTOOPT;
}

// A stream over RDMA retransmits nothing itself, and has no window of segments.
static struct tcp_info information(const struct hv_rs *rs)
{
	return (struct tcp_info){
		.tcpi_state = rs->state == HV_RS_CONNECTED ? TCP_ESTABLISHED : TCP_CLOSE,
		.tcpi_snd_mss = HV_RS_CHUNK_BYTES,
		.tcpi_rcv_mss = HV_RS_CHUNK_BYTES,
	};
}

static void give(void *value, socklen_t *length, const void *from, socklen_t bytes)
{
	if (*length > bytes)
		*length = bytes;
	memcpy(value, from, *length);
}

int rgetsockopt(int number, int level, int name, void *value, socklen_t *length)
{
	struct hv_rs *rs = hv_rs_lock(number);
	int error = 0;
	int found;

	if (rs == NULL)
		return -1;
	if (level == SOL_SOCKET && name == SO_LINGER) {
		give(value, length, &rs->linger, sizeof(rs->linger));
	} else if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO)) {
		struct timeval time = from_ms(name == SO_RCVTIMEO ? rs->receive_ms : rs->send_ms);

		give(value, length, &time, sizeof(time));
	} else if (level == IPPROTO_TCP && name == TCP_INFO) {
		struct tcp_info info = information(rs);

		give(value, length, &info, sizeof(info));
	} else {
		error = number_of(rs, level, name, &found);
		if (error == 0)
			give(value, length, &found, sizeof(found));
	}
	return hv_rs_answer(rs, error);
}

int rfcntl(int number, int command, ...)
{
	struct hv_rs *rs = hv_rs_lock(number);
	int result = 0;
	va_list more;

	if (rs == NULL)
		return -1;
	va_start(more, command);
	switch (command) {
	case F_GETFL: result = O_RDWR | rs->flags; break;
	case F_SETFL: rs->flags = va_arg(more, int) & O_NONBLOCK; break;
	// As system calls: librspreload.so has this function in fcntl's place.
	case F_GETFD: result = (int)syscall(SYS_fcntl, rs->number, F_GETFD); break;
	case F_SETFD: result = (int)syscall(SYS_fcntl, rs->number, F_SETFD, va_arg(more, int)); break;
	default: result = hv_cm_answer(EOPNOTSUPP); break;
	}
	va_end(more);
	pthread_mutex_unlock(&rs->lock);
	return result;
}
