// Which frames of the program's memory are in use: a bit each. No memory is allocated, no lock is taken: the caller
// has one.
#ifndef HV_FRAMES_H
#define HV_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HV_FRAME_BYTES ((size_t)4096)

#define HV_NO_FRAME SIZE_MAX

// So many bytes, or an address, up to the next whole frame.
static inline size_t hv_whole_frames(size_t bytes)
{
	return (bytes + HV_FRAME_BYTES - 1) & ~(HV_FRAME_BYTES - 1);
}

struct hv_frames {
	uint64_t *used;
	size_t count;
	size_t free;
	size_t low; // rows that may lie anywhere are from here on, as long as there is room
	size_t next; // where the next search for such a row begins
};

// Bytes of the words that hv_frames_init needs for so many frames.
size_t hv_frames_words(size_t count);

// All frames are free; `words` are zeroed. Small rows go to the frames from `low` on first: where large ones are to
// begin at a multiple of some size, there shall be as many of those as possible.
void hv_frames_init(struct hv_frames *frames, uint64_t *words, size_t count, size_t low);

// Takes `wanted` frames in a row, the first a multiple of `align` (a power of two). HV_NO_FRAME if there are none.
size_t hv_frames_take(struct hv_frames *frames, size_t wanted, size_t align);

// Takes just these frames; false if one of them is in use, or none of these.
bool hv_frames_take_at(struct hv_frames *frames, size_t first, size_t wanted);

// They may be part of what was taken at once, or several such; those not in use stay free.
void hv_frames_give(struct hv_frames *frames, size_t first, size_t count);

bool hv_frames_is_used(const struct hv_frames *frames, size_t frame);

// Whether the frame's bytes are all 0.
bool hv_frame_is_zero(const uint8_t *frame);

#endif
