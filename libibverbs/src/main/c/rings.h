// Ring memory, the doorbells, and how fields of shared memory are read and written.
#ifndef HV_RINGS_H
#define HV_RINGS_H

#include <stdint.h>
#include <string.h>

struct hv_context;

// Whole frames of the program's memory, registered for a queue.
struct hv_ring {
	uint8_t *memory;
	size_t bytes;
	uint64_t handle;
};

// 0, or an errno.
int hv_take_ring(struct hv_context *context, size_t bytes, struct hv_ring *ring);
int hv_release_ring(struct hv_ring *ring);

// Rings a slot: the index word it announces has been stored before. Wakes the HCA if it sleeps.
void hv_ring_doorbell(struct hv_context *context, uint32_t slot);

// All that is shared lies little-endian, as does this machine: build.sh refuses others.
static inline uint64_t hv_get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t hv_get32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint16_t hv_get16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline void hv_set64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void hv_set32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void hv_set16(uint8_t *at, uint16_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void hv_release32(uint8_t *at, uint32_t value)
{
	__atomic_store_n((uint32_t *)at, value, __ATOMIC_RELEASE);
}

static inline uint32_t hv_acquire32(const uint8_t *at)
{
	return __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
}

// The smallest power of two that is not below `n`.
static inline uint32_t hv_power_of_two(uint32_t n)
{
	return n <= 1 ? 1 : (uint32_t)1 << (32 - __builtin_clz(n - 1));
}

static inline uint32_t hv_round_up(uint32_t n, uint32_t unit)
{
	return (n + unit - 1) / unit * unit;
}

#endif
