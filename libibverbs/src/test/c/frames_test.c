// The frame allocator against a table of bytes, with random requests.
#include <string.h>

#include "check.h"
#include "frames.h"

#define FRAMES 1000 // no multiple of a word's bits
#define LOW 700
#define ROUNDS 200000

static struct hv_frames frames;
static char model[FRAMES];

static size_t model_free(void)
{
	size_t free = 0;

	for (size_t i = 0; i < FRAMES; i++)
		free += !model[i];
	return free;
}

static int model_fits(size_t first, size_t count)
{
	return first + count <= FRAMES && memchr(model + first, 1, count) == NULL;
}

static int model_has(size_t count, size_t align)
{
	for (size_t first = 0; first < FRAMES; first += align) {
		if (model_fits(first, count))
			return 1;
	}
	return 0;
}

static void take(size_t count, size_t align)
{
	size_t first = hv_frames_take(&frames, count, align);

	if (first == HV_NO_FRAME) {
		CHECK(!model_has(count, align));
		return;
	}
	CHECK(first % align == 0 && model_fits(first, count));
	memset(model + first, 1, count);
}

static void take_at(size_t first, size_t count)
{
	int fits = model_fits(first, count);

	CHECK(hv_frames_take_at(&frames, first, count) == fits);
	if (fits)
		memset(model + first, 1, count);
}

static void give(size_t first, size_t count)
{
	if (first + count > FRAMES)
		count = FRAMES - first;
	hv_frames_give(&frames, first, count);
	memset(model + first, 0, count);
}

static void is_as_the_model(void)
{
	CHECK(frames.free == model_free());
	for (size_t i = 0; i < FRAMES; i++)
		CHECK(hv_frames_is_used(&frames, i) == (model[i] != 0));
}

int main(void)
{
	size_t bytes = hv_frames_words(FRAMES);
	uint64_t *words = calloc(1, bytes);

	CHECK(bytes == 16 * sizeof(uint64_t));
	hv_frames_init(&frames, words, FRAMES, LOW);
	CHECK(hv_frames_take(&frames, 3, 1) == LOW && hv_frames_take(&frames, 64, 64) == 0);
	hv_frames_give(&frames, 0, FRAMES);
	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		size_t first = (size_t)rand() % FRAMES;
		size_t count = (size_t)rand() % 4 == 0 ? 1 + (size_t)rand() % 300 : 1 + (size_t)rand() % 3;

		switch (rand() % 4) {
		case 0: give(first, count); break;
		case 1: take_at(first, count); break;
		case 2: take(1, 1); break;
		default: take(count, (size_t)1 << rand() % 8); break;
		}
		if (round % 64 == 0)
			is_as_the_model();
	}
	CHECK(hv_frames_take(&frames, 0, 1) == HV_NO_FRAME);
	give(0, FRAMES);
	take(FRAMES, 1);
	is_as_the_model();
	CHECK(hv_frames_take(&frames, 1, 1) == HV_NO_FRAME);
	free(words);
	return 0;
}
