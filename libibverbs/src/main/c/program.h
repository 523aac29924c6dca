// A program's end of its connection to the guest's driver, and the memory that it got with it. libhvmemory.so has
// both and lends them to libibverbs.so.1; where it is not preloaded, libibverbs.so.1 has its own.
#ifndef HV_PROGRAM_H
#define HV_PROGRAM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frames.h"
#include "lock.h"
#include "places.h"

#define HV_MAX_DESCRIPTORS 2
#define HV_DOMAIN_BYTES 64

// Large allocations, and the memory as a whole, begin at a multiple of this: mimalloc's segments.
#define HV_SEGMENT_BYTES ((size_t)32 << 20)

enum hv_program_state {
	HV_PROGRAM_NEW,
	HV_PROGRAM_CONNECTED,
	HV_PROGRAM_ALONE, // there is no driver, or it refused
	HV_PROGRAM_FORKED // a child: the connection is its parent's, until it asks for one
};

struct hv_program {
	enum hv_program_state state;
	int error; // why it is not connected
	int socket;
	int doorbell; // eventfd: wakes the HCA
	uint8_t *base;
	size_t bytes;
	char domain[HV_DOMAIN_BYTES];
	struct hv_lock connecting;
	struct hv_lock allocating;
	struct hv_frames frames;
	struct hv_place places[HV_MAX_PLACES];
	pthread_mutex_t calling; // one call at a time
	uint64_t request_id;
};

#define HV_PROGRAM_INITIALIZER                                                                                         \
	{.socket = -1,                                                                                                 \
	 .doorbell = -1,                                                                                               \
	 .connecting = {ATOMIC_FLAG_INIT},                                                                             \
	 .allocating = {ATOMIC_FLAG_INIT},                                                                             \
	 .calling = PTHREAD_MUTEX_INITIALIZER}

// Connects if that has not been tried. 0, or an errno. Any thread; needs no malloc.
int hv_program_connect(struct hv_program *program);

// Gives a forked child a connection of its own: the memory of it takes the place of the copy that the child has, with
// the same in it. 0, also if it is no child, or an errno. Nobody else writes to the memory meanwhile.
int hv_program_adopt(struct hv_program *program);

// Zeroed frames in a row, or NULL: none, or not connected. Any thread; needs no malloc.
void *hv_program_take(struct hv_program *program, size_t bytes);

// Zeroes them and gives them back. Part of what was taken at once may be given back. `address` and `bytes` are whole
// frames of the memory.
void hv_program_give(struct hv_program *program, void *address, size_t bytes);

// Offset in the memory of `bytes` at `address`; -1 if they are not all in it. Of places, see hv_places_offset.
int64_t hv_program_offset(const struct hv_program *program, const void *address, size_t bytes);

// One call: sends `request`, waits for the reply. Length of the reply, or minus an errno. Descriptors that came with
// it are the caller's; those that there is no room for are closed.
long hv_program_call(struct hv_program *program, const void *request, size_t length, void *reply, size_t room,
		     int descriptors[HV_MAX_DESCRIPTORS]);

// What libhvmemory.so lends. `call` puts the request's number in front of it.
struct hv_program *hv_connection(void);

#endif
