#include "channel.h"

#include <errno.h>

#include "hv_constants.h"
#include "packets.h"

// Lent by libhvmemory.so, where that is preloaded.
#pragma weak hv_connection

static struct hv_program own = HV_PROGRAM_INITIALIZER;

static struct hv_program *lent_or_own(void)
{
	return hv_connection != NULL ? hv_connection() : &own;
}

int hv_adopt_program(void)
{
	return hv_program_adopt(lent_or_own());
}

struct hv_program *hv_the_program(void)
{
	struct hv_program *program = lent_or_own();
	int error = hv_program_connect(program);

	if (error != 0) {
		errno = error;
		return NULL;
	}
	return program;
}

void hv_call_begin(struct hv_call *call, uint32_t kind)
{
	call->request.length = 0;
	call->request.overflow = false;
	call->opened = hv_pb_open(&call->request, kind);
}

static int read_reply(struct hv_call *call, size_t length, uint32_t expected)
{
	struct hv_pb_in in = hv_pb_read(call->bytes, length);
	struct hv_pb_field field;
	uint32_t status = 0;
	bool is_there = expected == 0;

	while (hv_pb_next(&in, &field)) {
		if (field.tag == HV_CONTROL_REPLY_STATUS) {
			status = (uint32_t)field.value;
		} else if (field.tag == expected) {
			call->reply = field.bytes;
			is_there = true;
		}
	}
	if (in.malformed)
		return EPROTO;
	if (status != 0)
		return hv_status_errno(status);
	return is_there ? 0 : EPROTO;
}

int hv_call_do(struct hv_call *call, uint32_t expected)
{
	struct hv_program *program = hv_the_program();
	long length;

	if (program == NULL)
		return errno;
	hv_pb_close(&call->request, call->opened);
	if (call->request.overflow)
		return E2BIG;
	length = hv_program_call(program, call->request.bytes, call->request.length, call->bytes, sizeof(call->bytes),
				 call->descriptors);
	return length < 0 ? (int)-length : read_reply(call, (size_t)length, expected);
}

int hv_put_frames(struct hv_call *call, uint32_t tag, const void *address, size_t bytes)
{
	struct hv_program *program = hv_the_program();
	int64_t offset = program == NULL ? -1 : hv_program_offset(program, address, bytes);
	uint64_t first;
	size_t opened;

	if (offset < 0 && program != NULL)
		offset = hv_places_offset(program, address, bytes);
	if (offset < 0)
		return EFAULT;
	first = (uint64_t)offset / HV_FRAME_BYTES;
	opened = hv_pb_open(&call->request, tag);
	hv_pb_put(&call->request, HV_FRAME_RUN_FIRST_FRAME, first);
	hv_pb_put(&call->request, HV_FRAME_RUN_COUNT,
		  ((uint64_t)offset + bytes + HV_FRAME_BYTES - 1) / HV_FRAME_BYTES - first);
	hv_pb_close(&call->request, opened);
	return 0;
}

void hv_read_numbers(struct hv_pb_in in, const uint32_t *tags, uint64_t *values, int count)
{
	struct hv_pb_field field;

	for (int i = 0; i < count; i++)
		values[i] = 0;
	while (hv_pb_next(&in, &field)) {
		for (int i = 0; i < count; i++) {
			if (field.tag == tags[i])
				values[i] = field.value;
		}
	}
}

int hv_destroy(uint32_t kind, uint64_t handle)
{
	struct hv_call call;

	hv_call_begin(&call, HV_CONTROL_REQUEST_DESTROY);
	hv_pb_put(&call.request, HV_DESTROY_KIND, kind);
	hv_pb_put(&call.request, HV_DESTROY_HANDLE, handle);
	return hv_call_do(&call, 0);
}
