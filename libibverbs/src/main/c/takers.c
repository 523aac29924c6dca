// Threads that sleep on the event rings of a context's page, and hand on what the HCA posts there.
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "takers.h"

static uint8_t *ring(const struct hv_event_taker *taker)
{
	return taker->context->uar + taker->offset;
}

static void take_all(struct hv_event_taker *taker, uint32_t *head)
{
	uint32_t tail = hv_acquire32(ring(taker));

	while (*head != tail) {
		const uint8_t *entries = ring(taker) + HV_EVENT_RING_ENTRIES_OFFSET;

		taker->take(taker->context,
			    hv_get32(entries + (*head & (taker->entries - 1)) * sizeof(uint32_t)));
		++*head;
	}
	hv_release32(ring(taker) + HV_EVENT_RING_HEAD_OFFSET, *head);
}

static void say_waiting(struct hv_event_taker *taker, uint32_t waiting)
{
	__atomic_store_n((uint32_t *)(ring(taker) + HV_EVENT_RING_WAITING_OFFSET), waiting, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// The HCA wakes who says that it waits, after the tail: so it is said first, and the tail looked at after it.
static void sleep_on(struct hv_event_taker *taker, uint32_t head)
{
	say_waiting(taker, 1);
	if (hv_acquire32(ring(taker)) == head && !__atomic_load_n(&taker->stop, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, ring(taker), FUTEX_WAIT, head, NULL, NULL, 0);
	say_waiting(taker, 0);
}

static void *run(void *argument)
{
	struct hv_event_taker *taker = argument;
	uint32_t head = 0;

	while (!__atomic_load_n(&taker->stop, __ATOMIC_SEQ_CST)) {
		take_all(taker, &head);
		sleep_on(taker, head);
	}
	__atomic_store_n(&taker->has_ended, true, __ATOMIC_RELEASE);
	return NULL;
}

// A signal is for the program's threads.
int hv_start_taker(struct hv_event_taker *taker)
{
	sigset_t all;
	sigset_t before;
	int error;

	if (taker->is_running)
		return 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&taker->thread, NULL, run, taker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	taker->is_running = error == 0;
	return error;
}

void hv_want_events(struct hv_event_taker *taker)
{
	hv_release32(ring(taker) + HV_EVENT_RING_WANTED_OFFSET, 1);
}

// It may be on its way into the kernel: it is woken until it has ended.
void hv_stop_taker(struct hv_event_taker *taker)
{
	if (!taker->is_running)
		return;
	__atomic_store_n(&taker->stop, true, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&taker->has_ended, __ATOMIC_ACQUIRE)) {
		syscall(SYS_futex, ring(taker), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
		sched_yield();
	}
	pthread_join(taker->thread, NULL);
	taker->is_running = false;
}
