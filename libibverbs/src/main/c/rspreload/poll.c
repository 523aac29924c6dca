// Waiting for streams and other descriptors together: poll, select, epoll.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include "preload.h"

#define FIRST_ENTRIES 16

// A stream in an epoll instance, which the kernel has no part in.
struct entry {
	int number;
	struct epoll_event wanted;
};

// The streams of an epoll instance; all other descriptors are the kernel's.
struct epoll {
	struct epoll *next;
	int number;
	struct entry *entries;
	size_t count;
	size_t room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // guards all of them
static struct epoll *first;

static bool has_stream(const struct pollfd *asked, nfds_t count)
{
	for (nfds_t i = 0; i < count; i++) {
		if (hv_preload_is_stream(asked[i].fd))
			return true;
	}
	return false;
}

EXPORT int poll(struct pollfd *asked, nfds_t count, int timeout)
{
	return has_stream(asked, count) ? rpoll(asked, count, timeout) : NEXT(poll)(asked, count, timeout);
}

EXPORT int __poll_chk(struct pollfd *asked, nfds_t count, int timeout, size_t room)
{
	if (count > room / sizeof(*asked))
		__builtin_trap();
	return poll(asked, count, timeout);
}

static int to_ms(const struct timespec *time)
{
	return time == NULL ? -1 : (int)(time->tv_sec * 1000 + (time->tv_nsec + 999999) / 1000000);
}

// A signal between the two changes of the mask is not waited for: the wait ends at its time.
EXPORT int ppoll(struct pollfd *asked, nfds_t count, const struct timespec *time, const sigset_t *mask)
{
	sigset_t before;
	int result;
	int error;

	if (!has_stream(asked, count))
		return NEXT(ppoll)(asked, count, time, mask);
	if (mask != NULL)
		pthread_sigmask(SIG_SETMASK, mask, &before);
	result = rpoll(asked, count, to_ms(time));
	error = errno;
	if (mask != NULL)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return result;
}

static bool set_has_stream(int count, const fd_set *set)
{
	for (int i = 0; set != NULL && i < count && i < FD_SETSIZE; i++) {
		if (FD_ISSET(i, set) && hv_preload_is_stream(i))
			return true;
	}
	return false;
}

EXPORT int select(int count, fd_set *reads, fd_set *writes, fd_set *excepts, struct timeval *time)
{
	if (set_has_stream(count, reads) || set_has_stream(count, writes) || set_has_stream(count, excepts))
		return rselect(count, reads, writes, excepts, time);
	return NEXT(select)(count, reads, writes, excepts, time);
}

static struct epoll *find(int number)
{
	struct epoll *epoll = first;

	while (epoll != NULL && epoll->number != number)
		epoll = epoll->next;
	return epoll;
}

static struct epoll *add_epoll(int number)
{
	struct epoll *epoll = calloc(1, sizeof(*epoll));

	if (epoll == NULL)
		return NULL;
	epoll->number = number;
	epoll->next = first;
	first = epoll;
	return epoll;
}

static struct entry *find_entry(struct epoll *epoll, int number)
{
	for (size_t i = 0; epoll != NULL && i < epoll->count; i++) {
		if (epoll->entries[i].number == number)
			return &epoll->entries[i];
	}
	return NULL;
}

static int add_entry(struct epoll *epoll, int number, const struct epoll_event *wanted)
{
	if (epoll->count == epoll->room) {
		size_t room = epoll->room == 0 ? FIRST_ENTRIES : 2 * epoll->room;
		struct entry *entries = realloc(epoll->entries, room * sizeof(*entries));

		if (entries == NULL)
			return ENOMEM;
		epoll->entries = entries;
		epoll->room = room;
	}
	epoll->entries[epoll->count++] = (struct entry){.number = number, .wanted = *wanted};
	return 0;
}

static int change(int instance, int operation, int number, const struct epoll_event *wanted)
{
	struct epoll *epoll = find(instance);
	struct entry *entry = find_entry(epoll, number);

	if (operation != EPOLL_CTL_ADD && entry == NULL)
		return ENOENT;
	switch (operation) {
	case EPOLL_CTL_ADD:
		if (entry != NULL)
			return EEXIST;
		if (epoll == NULL)
			epoll = add_epoll(instance);
		return epoll == NULL ? ENOMEM : add_entry(epoll, number, wanted);
	case EPOLL_CTL_MOD: entry->wanted = *wanted; return 0;
	case EPOLL_CTL_DEL: *entry = epoll->entries[--epoll->count]; return 0;
	default: return EINVAL;
	}
}

EXPORT int epoll_ctl(int instance, int operation, int number, struct epoll_event *wanted)
{
	int error;

	if (!hv_preload_is_stream(number))
		return NEXT(epoll_ctl)(instance, operation, number, wanted);
	pthread_mutex_lock(&lock);
	error = change(instance, operation, number, wanted);
	pthread_mutex_unlock(&lock);
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

void hv_preload_leave_epolls(int number)
{
	pthread_mutex_lock(&lock);
	for (struct epoll *epoll = first; epoll != NULL; epoll = epoll->next) {
		struct entry *entry = find_entry(epoll, number);

		if (entry != NULL)
			*entry = epoll->entries[--epoll->count];
	}
	pthread_mutex_unlock(&lock);
}

void hv_preload_close_epoll(int number)
{
	struct epoll **link = &first;

	// Most programs have none.
	if (__atomic_load_n(&first, __ATOMIC_ACQUIRE) == NULL)
		return;
	pthread_mutex_lock(&lock);
	while (*link != NULL) {
		struct epoll *epoll = *link;

		if (epoll->number == number) {
			*link = epoll->next;
			free(epoll->entries);
			free(epoll);
		} else {
			link = &epoll->next;
		}
	}
	pthread_mutex_unlock(&lock);
}

void hv_preload_forget_epolls(void)
{
	first = NULL;
	pthread_mutex_init(&lock, NULL);
}

// The streams of the instance, and itself as the first; NULL if it has none, or no memory for it.
static struct pollfd *list(int instance, size_t *count)
{
	struct pollfd *asked = NULL;
	struct epoll *epoll;

	pthread_mutex_lock(&lock);
	epoll = find(instance);
	if (epoll != NULL && epoll->count > 0)
		asked = calloc(epoll->count + 1, sizeof(*asked));
	if (asked != NULL) {
		asked[0] = (struct pollfd){.fd = instance, .events = POLLIN};
		for (size_t i = 0; i < epoll->count; i++)
			asked[i + 1] = (struct pollfd){
				.fd = epoll->entries[i].number,
				.events = (short)(epoll->entries[i].wanted.events & (EPOLLIN | EPOLLOUT)),
			};
		*count = epoll->count + 1;
	}
	pthread_mutex_unlock(&lock);
	return asked;
}

// Bits of both are the same. After EPOLLONESHOT nothing is reported before the program changes the entry.
static int tell(int instance, const struct pollfd *asked, size_t count, struct epoll_event *events, int most)
{
	int told = 0;

	pthread_mutex_lock(&lock);
	for (size_t i = 1; i < count && told < most; i++) {
		struct entry *entry = find_entry(find(instance), asked[i].fd);

		if (asked[i].revents == 0 || entry == NULL || (entry->wanted.events & ~(EPOLLONESHOT | EPOLLET)) == 0)
			continue;
		events[told].events = (uint32_t)asked[i].revents;
		events[told++].data = entry->wanted.data;
		if ((entry->wanted.events & EPOLLONESHOT) != 0)
			entry->wanted.events = EPOLLONESHOT;
	}
	pthread_mutex_unlock(&lock);
	return told;
}

EXPORT int epoll_pwait(int instance, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
	size_t count = 0;
	struct pollfd *asked = most > 0 ? list(instance, &count) : NULL;
	int told;
	int others = 0;

	if (asked == NULL)
		return NEXT(epoll_pwait)(instance, events, most, timeout, mask);
	told = rpoll(asked, count, timeout);
	if (told > 0) {
		told = tell(instance, asked, count, events, most);
		if (asked[0].revents != 0 && told < most)
			others = NEXT(epoll_pwait)(instance, events + told, most - told, 0, mask);
	}
	free(asked);
	return told + (others > 0 ? others : 0);
}

EXPORT int epoll_wait(int instance, struct epoll_event *events, int most, int timeout)
{
	return epoll_pwait(instance, events, most, timeout, NULL);
}
