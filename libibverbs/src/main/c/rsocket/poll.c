// Polling of sockets, and of other descriptors among them.
#include <stdlib.h>

#include "rsocket.h"

// A socket's events are taken by whichever thread is first: another that polls it looks again after this at the latest.
#define WAKE_MS 1000

// Without the heap.
#define FEW 32

#define ALWAYS (POLLERR | POLLHUP | POLLNVAL)

// A poll: `kernel` has two places for each of `asked`, those of a socket for its two channels.
struct polled {
	struct pollfd *asked;
	struct pollfd *kernel;
	nfds_t count;
	bool has_sockets;
	bool has_others;
};

static struct hv_rs *socket_of(const struct pollfd *asked)
{
	return asked->fd < 0 ? NULL : hv_rs_find(asked->fd);
}

static void watch(struct polled *polled)
{
	for (nfds_t i = 0; i < polled->count; i++) {
		struct hv_rs *rs = socket_of(&polled->asked[i]);
		struct pollfd *places = &polled->kernel[2 * i];

		places[0] = (struct pollfd){.fd = -1, .events = POLLIN};
		places[1] = (struct pollfd){.fd = -1, .events = POLLIN};
		if (rs == NULL) {
			places[0].fd = polled->asked[i].fd;
			places[0].events = polled->asked[i].events;
			polled->has_others = true;
			continue;
		}
		polled->has_sockets = true;
		pthread_mutex_lock(&rs->lock);
		places[0].fd = rs->channel->fd;
		if (rs->completions != NULL)
			places[1].fd = rs->completions->fd;
		pthread_mutex_unlock(&rs->lock);
	}
}

// Sockets that are ready; asks for events of those that are not, if `arm`.
static int look(struct polled *polled, bool arm)
{
	int ready = 0;

	for (nfds_t i = 0; i < polled->count; i++) {
		struct pollfd *asked = &polled->asked[i];
		struct hv_rs *rs = socket_of(asked);

		if (rs == NULL)
			continue;
		pthread_mutex_lock(&rs->lock);
		if (arm)
			hv_rs_arm(rs);
		hv_rs_look(rs);
		asked->revents = (short)(hv_rs_readiness(rs) & (asked->events | ALWAYS));
		pthread_mutex_unlock(&rs->lock);
		ready += asked->revents != 0;
	}
	return ready;
}

// Polls what the kernel has. Others that are ready, or -1.
static int ask_kernel(struct polled *polled, int timeout)
{
	int ready = 0;

	if (poll(polled->kernel, 2 * polled->count, timeout) < 0)
		return -1;
	for (nfds_t i = 0; i < polled->count; i++) {
		struct pollfd *places = &polled->kernel[2 * i];
		struct hv_rs *rs = socket_of(&polled->asked[i]);

		if (rs == NULL) {
			polled->asked[i].revents = places[0].revents;
			ready += places[0].revents != 0;
		} else if (places[1].revents != 0) {
			pthread_mutex_lock(&rs->lock);
			hv_rs_disarm(rs);
			pthread_mutex_unlock(&rs->lock);
		}
	}
	return ready;
}

static int poll_all(struct polled *polled, int timeout)
{
	int64_t end = timeout < 0 ? 0 : hv_rs_now_ms() + timeout;
	int ready = 0;

	for (int i = 0; i == 0 || (timeout != 0 && i < HV_RS_LOOKS && ready == 0); i++)
		ready = look(polled, false);
	if (ready > 0 && !polled->has_others)
		return ready;
	for (;;) {
		int left = hv_rs_left_ms(end);
		int others;

		ready = look(polled, true);
		if (ready > 0)
			others = ask_kernel(polled, 0);
		else
			others = ask_kernel(polled, left < 0 || left > WAKE_MS ? WAKE_MS : left);
		if (others < 0)
			return ready > 0 ? ready : -1;
		ready = look(polled, false);
		if (ready + others > 0 || left == 0)
			return ready + others;
	}
}

int rpoll(struct pollfd *asked, nfds_t count, int timeout)
{
	struct pollfd few[2 * FEW];
	struct polled polled = {.asked = asked, .kernel = few, .count = count};
	int result;

	if (count > FEW) {
		polled.kernel = calloc(2 * count, sizeof(*polled.kernel));
		if (polled.kernel == NULL)
			return hv_cm_answer(ENOMEM);
	}
	watch(&polled);
	result = polled.has_sockets ? poll_all(&polled, timeout) : poll(asked, count, timeout);
	if (polled.kernel != few)
		free(polled.kernel);
	return result;
}

static bool is_in(int number, const fd_set *set)
{
	return set != NULL && FD_ISSET(number, set);
}

static nfds_t from_sets(int count, const fd_set *reads, const fd_set *writes, const fd_set *excepts,
			struct pollfd *asked)
{
	nfds_t found = 0;

	for (int number = 0; number < count; number++) {
		short events = 0;

		if (is_in(number, reads))
			events |= POLLIN;
		if (is_in(number, writes))
			events |= POLLOUT;
		if (is_in(number, excepts))
			events |= POLLPRI;
		if (events != 0)
			asked[found++] = (struct pollfd){.fd = number, .events = events};
	}
	return found;
}

static int keep(int number, fd_set *set, bool is_ready)
{
	if (!is_in(number, set))
		return 0;
	if (is_ready)
		return 1;
	FD_CLR(number, set);
	return 0;
}

int rselect(int count, fd_set *reads, fd_set *writes, fd_set *excepts, struct timeval *timeout)
{
	struct pollfd asked[FD_SETSIZE];
	int ready = 0;
	nfds_t found;

	if (count < 0 || count > FD_SETSIZE)
		return hv_cm_answer(EINVAL);
	found = from_sets(count, reads, writes, excepts, asked);
	if (rpoll(asked, found, timeout == NULL ? -1 : hv_rs_to_ms(timeout)) < 0)
		return -1;
	for (nfds_t i = 0; i < found; i++) {
		short events = asked[i].revents;

		if ((events & POLLNVAL) != 0)
			return hv_cm_answer(EBADF);
		ready += keep(asked[i].fd, reads, (events & (POLLIN | POLLHUP | POLLERR)) != 0);
		ready += keep(asked[i].fd, writes, (events & (POLLOUT | POLLERR)) != 0);
		ready += keep(asked[i].fd, excepts, (events & POLLPRI) != 0);
	}
	return ready;
}
