// Waiting: a while by looking, then for the events of a socket's two channels.
#include <time.h>

#include "rsocket.h"

static bool has_events(const struct hv_rs *rs)
{
	const struct hv_cm_channel *channel = (const struct hv_cm_channel *)rs->channel;

	return __atomic_load_n(&channel->first, __ATOMIC_ACQUIRE) != NULL;
}

// Events first: what the peer sent before it disconnected has completed by then.
void hv_rs_look(struct hv_rs *rs)
{
	if (rs->state == HV_RS_LISTENING)
		return;
	if (has_events(rs))
		hv_rs_take_events(rs);
	if (rs->state == HV_RS_CONNECTED)
		hv_rs_progress(rs);
}

short hv_rs_readiness(struct hv_rs *rs)
{
	short ready = 0;

	switch (rs->state) {
	case HV_RS_OPEN: return POLLOUT | POLLHUP;
	case HV_RS_LISTENING: return has_events(rs) ? POLLIN | POLLRDNORM : 0;
	case HV_RS_CONNECTING: return 0;
	case HV_RS_FAILED: return POLLIN | POLLOUT | POLLERR | POLLHUP;
	case HV_RS_CONNECTED: break;
	}
	if (hv_rs_available(rs) > 0 || hv_rs_has_ended(rs))
		ready |= POLLIN | POLLRDNORM;
	if (hv_rs_room(rs) > 0 || hv_rs_is_over(rs))
		ready |= POLLOUT | POLLWRNORM;
	if (rs->is_broken)
		ready |= POLLERR;
	if (hv_rs_is_over(rs) || (rs->has_end && rs->has_ended))
		ready |= POLLHUP;
	return ready;
}

void hv_rs_arm(struct hv_rs *rs)
{
	if (rs->cq != NULL)
		ibv_req_notify_cq(rs->cq, 0);
}

void hv_rs_disarm(struct hv_rs *rs)
{
	struct ibv_cq *cq;
	void *unused;

	// Its descriptor does not wait.
	while (rs->completions != NULL && ibv_get_cq_event(rs->completions, &cq, &unused) == 0)
		rs->unacknowledged++;
	hv_rs_look(rs);
}

int64_t hv_rs_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int hv_rs_left_ms(int64_t end)
{
	int64_t now = hv_rs_now_ms();

	if (end == 0)
		return -1;
	return end > now ? (int)(end - now) : 0;
}

int hv_rs_to_ms(const struct timeval *time)
{
	int64_t ms = (int64_t)time->tv_sec * 1000 + (time->tv_usec + 999) / 1000;

	return ms > INT32_MAX ? INT32_MAX : (int)ms;
}

static int sleep_for_events(struct hv_rs *rs, int64_t end)
{
	struct pollfd channels[] = {
		{.fd = rs->channel->fd, .events = POLLIN},
		{.fd = rs->completions == NULL ? -1 : rs->completions->fd, .events = POLLIN},
	};
	int error = 0;
	int got;

	rs->has_sleeper = true;
	pthread_mutex_unlock(&rs->lock);
	got = poll(channels, 2, hv_rs_left_ms(end));
	if (got < 0)
		error = errno;
	else if (got == 0)
		error = EAGAIN;
	pthread_mutex_lock(&rs->lock);
	rs->has_sleeper = false;
	hv_rs_disarm(rs);
	pthread_cond_broadcast(&rs->awoken);
	return error;
}

static int sleep_beside(struct hv_rs *rs, int64_t end)
{
	struct timespec until = {.tv_sec = end / 1000, .tv_nsec = end % 1000 * 1000000};

	if (end == 0)
		return pthread_cond_wait(&rs->awoken, &rs->lock);
	return pthread_cond_clockwait(&rs->awoken, &rs->lock, CLOCK_MONOTONIC, &until) == 0 ? 0 : EAGAIN;
}

int hv_rs_wait(struct hv_rs *rs, hv_rs_ready *ready, int ms)
{
	int64_t end = ms == 0 ? 0 : hv_rs_now_ms() + ms;
	int error = 0;

	for (int i = 0; i < HV_RS_LOOKS; i++) {
		hv_rs_look(rs);
		if (ready(rs))
			return 0;
	}
	for (;;) {
		if (rs->has_sleeper) {
			error = sleep_beside(rs, end);
		} else {
			hv_rs_arm(rs);
			// What came before that makes no event.
			hv_rs_look(rs);
			if (ready(rs))
				return 0;
			error = sleep_for_events(rs, end);
		}
		if (ready(rs))
			return 0;
		if (error != 0)
			return error;
	}
}
