#include "frames.h"

#define WORD_BITS 64

size_t hv_frames_words(size_t count)
{
	return (count + WORD_BITS - 1) / WORD_BITS * sizeof(uint64_t);
}

void hv_frames_init(struct hv_frames *frames, uint64_t *words, size_t count, size_t low)
{
	*frames = (struct hv_frames){.used = words, .count = count, .free = count, .low = low, .next = low};
}

bool hv_frames_is_used(const struct hv_frames *frames, size_t frame)
{
	return (frames->used[frame / WORD_BITS] >> (frame % WORD_BITS)) & 1;
}

static void mark(struct hv_frames *frames, size_t first, size_t count)
{
	for (size_t frame = first; frame < first + count; frame++)
		frames->used[frame / WORD_BITS] |= (uint64_t)1 << (frame % WORD_BITS);
	frames->free -= count;
}

// The first frame from `from` on that is in use, or `end`; whole words at a time, since rows are long.
static size_t next_used(const struct hv_frames *frames, size_t from, size_t end)
{
	while (from < end) {
		uint64_t word = frames->used[from / WORD_BITS] >> (from % WORD_BITS);

		if (word != 0) {
			size_t found = from + (size_t)__builtin_ctzll(word);

			return found < end ? found : end;
		}
		from = (from / WORD_BITS + 1) * WORD_BITS;
	}
	return end;
}

static size_t next_free(const struct hv_frames *frames, size_t from)
{
	while (from < frames->count) {
		uint64_t word = ~frames->used[from / WORD_BITS] >> (from % WORD_BITS);

		if (word != 0) {
			size_t found = from + (size_t)__builtin_ctzll(word);

			return found < frames->count ? found : frames->count;
		}
		from = (from / WORD_BITS + 1) * WORD_BITS;
	}
	return frames->count;
}

static size_t search(const struct hv_frames *frames, size_t from, size_t wanted, size_t align)
{
	size_t first = next_free(frames, from);

	while (first < frames->count) {
		size_t end;

		first = (first + align - 1) & ~(align - 1);
		if (first >= frames->count || wanted > frames->count - first)
			return HV_NO_FRAME;
		end = next_used(frames, first, first + wanted);
		if (end == first + wanted)
			return first;
		first = next_free(frames, end);
	}
	return HV_NO_FRAME;
}

size_t hv_frames_take(struct hv_frames *frames, size_t wanted, size_t align)
{
	size_t first;

	if (wanted == 0 || wanted > frames->free)
		return HV_NO_FRAME;
	first = align == 1 ? search(frames, frames->next, wanted, align) : HV_NO_FRAME;
	if (first == HV_NO_FRAME)
		first = search(frames, 0, wanted, align);
	if (first == HV_NO_FRAME)
		return HV_NO_FRAME;
	mark(frames, first, wanted);
	// Single frames go on where the last one was: what is before it is mostly full.
	if (wanted == 1 && first >= frames->next)
		frames->next = first + 1;
	return first;
}

bool hv_frames_take_at(struct hv_frames *frames, size_t first, size_t wanted)
{
	if (first > frames->count || wanted > frames->count - first
	    || next_used(frames, first, first + wanted) != first + wanted)
		return false;
	mark(frames, first, wanted);
	return true;
}

void hv_frames_give(struct hv_frames *frames, size_t first, size_t count)
{
	for (size_t frame = first; frame < first + count; frame++) {
		if (hv_frames_is_used(frames, frame)) {
			frames->used[frame / WORD_BITS] &= ~((uint64_t)1 << (frame % WORD_BITS));
			frames->free++;
		}
	}
	if (first < frames->next)
		frames->next = first < frames->low ? frames->low : first;
}

bool hv_frame_is_zero(const uint8_t *frame)
{
	const uint64_t *words = (const uint64_t *)frame;

	for (size_t i = 0; i < HV_FRAME_BYTES / sizeof(*words); i++) {
		if (words[i] != 0)
			return false;
	}
	return true;
}
