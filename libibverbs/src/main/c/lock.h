// A lock that needs no set-up, no memory and no library: for the first malloc of a program, and for a few
// instructions around a ring.
#ifndef HV_LOCK_H
#define HV_LOCK_H

#include <sched.h>
#include <stdatomic.h>

struct hv_lock {
	atomic_flag held;
};

static inline void hv_lock(struct hv_lock *lock)
{
	// There are few processors, and the holder may not be on one.
	while (atomic_flag_test_and_set_explicit(&lock->held, memory_order_acquire))
		sched_yield();
}

static inline void hv_unlock(struct hv_lock *lock)
{
	atomic_flag_clear_explicit(&lock->held, memory_order_release);
}

#endif
