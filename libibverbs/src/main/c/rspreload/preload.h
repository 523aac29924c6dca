// What the parts of librspreload.so know of each other.
#ifndef HV_PRELOAD_H
#define HV_PRELOAD_H

#include <rdma/rsocket.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

// The function of the C library that has the name.
#define NEXT(name)                                                                                                     \
	({                                                                                                             \
		static void *volatile next_of_##name;                                                                  \
		(__typeof__(&name)) hv_preload_next(&next_of_##name, #name);                                           \
	})

void *hv_preload_next(void *volatile *found, const char *name);

// Whether rsocket or raccept made it.
bool hv_preload_is_stream(int number);

// poll.c
void hv_preload_leave_epolls(int number);
void hv_preload_close_epoll(int number);
void hv_preload_forget_epolls(void);

#endif
