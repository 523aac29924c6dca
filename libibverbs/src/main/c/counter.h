// Eventfds that a program waits on: each counts the events in the queue behind it.
#ifndef HV_COUNTER_H
#define HV_COUNTER_H

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

// One event more.
static inline void hv_count(int descriptor)
{
	uint64_t one = 1;
	ssize_t written;

	do {
		written = write(descriptor, &one, sizeof(one));
	} while (written < 0 && errno == EINTR);
}

#endif
