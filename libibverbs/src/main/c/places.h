// Memory that a program has before it maps any: its data segment and the upper part of its first stack. Both are moved
// to frames of the guest before the program begins, at the addresses that they have, so that they can be registered.
#ifndef HV_PLACES_H
#define HV_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HV_MAX_PLACES 4

struct hv_program;

// Whole frames; `bytes` is 0 where there is none.
struct hv_place {
	uint8_t *address;
	size_t bytes;
	size_t offset; // of its frames in the program's memory
};

// Moves what there is and fits. For a program that is connected and has one thread.
void hv_places_move(struct hv_program *program);

// Offset in the program's memory of `bytes` at `address`; -1 if they are not all in one place.
int64_t hv_places_offset(struct hv_program *program, const void *address, size_t bytes);

// Whether the caller's stack is one of the places.
bool hv_places_have_stack(struct hv_program *program);

// Gives the caller its stack back as memory of its own: the HCA does not reach it any more.
void hv_places_keep_stack(struct hv_program *program);

// In the child of a fork, which has a copy of the program's memory at `base`: makes the places its own, with what they
// had. Not on a stack that is one of them.
void hv_places_copy(struct hv_program *program);

// In such a child, when the memory at `base` is shared with the HCA again: so are the places then, with what they have.
void hv_places_share(struct hv_program *program);

// Runs `run` on a stack that is nobody's and ends with it; what the caller's stack has stays as it is meanwhile. False
// if there is no memory for one.
bool hv_on_other_stack(void (*run)(void *argument), void *argument);

#endif
