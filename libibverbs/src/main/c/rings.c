#include "rings.h"

#include <unistd.h>

#include "verbs.h"

int hv_take_ring(struct hv_context *context, size_t bytes, struct hv_ring *ring)
{
	static const uint32_t tags[] = {HV_RING_REGISTERED_RING};
	struct hv_program *program = hv_the_program();
	struct hv_call call;
	int error;

	if (program == NULL)
		return errno;
	ring->bytes = hv_whole_frames(bytes);
	ring->memory = hv_program_take(program, ring->bytes);
	if (ring->memory == NULL)
		return ENOMEM;
	hv_call_begin(&call, HV_CONTROL_REQUEST_REGISTER_RING);
	hv_pb_put(&call.request, HV_REGISTER_RING_CONTEXT, context->handle);
	hv_pb_put(&call.request, HV_REGISTER_RING_LENGTH_BYTES, ring->bytes);
	error = hv_put_frames(&call, HV_REGISTER_RING_RUNS, ring->memory, ring->bytes);
	if (error == 0)
		error = hv_call_do(&call, HV_CONTROL_REPLY_RING_REGISTERED);
	if (error != 0) {
		hv_program_give(program, ring->memory, ring->bytes);
		return error;
	}
	hv_read_numbers(call.reply, tags, &ring->handle, 1);
	return 0;
}

int hv_release_ring(struct hv_ring *ring)
{
	struct hv_program *program = hv_the_program();
	int error = hv_destroy(HV_OBJECT_KIND_RING, ring->handle);

	// Memory that the HCA may still write to is not for others.
	if (error == 0 && program != NULL)
		hv_program_give(program, ring->memory, ring->bytes);
	return error;
}

void hv_ring_doorbell(struct hv_context *context, uint32_t slot)
{
	uint64_t *word = (uint64_t *)(context->uar + HV_UAR_WORDS_OFFSET) + slot / 64;
	uint64_t *summary = (uint64_t *)(context->uar + HV_UAR_SUMMARY_OFFSET);
	uint32_t armed;

	__atomic_fetch_or(word, (uint64_t)1 << (slot % 64), __ATOMIC_SEQ_CST);
	__atomic_fetch_or(summary, (uint64_t)1 << (slot / 64), __ATOMIC_SEQ_CST);
	armed = __atomic_load_n((const uint32_t *)(context->status + HV_STATUS_PAGE_ARM_NUMBER_OFFSET),
				__ATOMIC_SEQ_CST);
	if (armed != __atomic_load_n(&context->woken_for, __ATOMIC_RELAXED)) {
		struct hv_program *program = hv_the_program();
		uint64_t one = 1;
		ssize_t written = 0;

		// A lost race costs one write too many. One that fails has nobody to tell: the completion does not come.
		__atomic_store_n(&context->woken_for, armed, __ATOMIC_RELAXED);
		if (program != NULL)
			written = write(program->doorbell, &one, sizeof(one));
		(void)written;
	}
}
