#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "hv_constants.h"
#include "packets.h"
#include "protobuf.h"

#define VERSION 1
#define DEFAULT_SOCKET "/tmp/verbs.sock"
#define GREETING_BYTES 1024

// Programs number their own files from 0, and some close or reuse those below 256.
#define LOWEST_DESCRIPTOR 512

extern char **environ;

// Not getenv: the first malloc may come before the C library knows its environment.
static const char *socket_path(void)
{
	static const char name[] = "HV_VERBS_SOCKET=";

	for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
		if (strncmp(*variable, name, sizeof(name) - 1) == 0)
			return *variable + sizeof(name) - 1;
	}
	return DEFAULT_SOCKET;
}

static int moved_up(int descriptor)
{
	int moved = (int)syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR);

	if (moved < 0)
		return descriptor;
	syscall(SYS_close, descriptor);
	return moved;
}

static int open_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *path = socket_path();
	long descriptor;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	descriptor = syscall(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (descriptor < 0)
		return -errno;
	if (syscall(SYS_connect, descriptor, &address, sizeof(address)) != 0) {
		int error = errno;

		syscall(SYS_close, descriptor);
		return -error;
	}
	return moved_up((int)descriptor);
}

// Maps the memory at a multiple of a segment: maps too much, and again at the place found in it.
static int map(struct hv_program *program, int memory)
{
	size_t space = program->bytes + HV_SEGMENT_BYTES;
	size_t words = hv_frames_words(program->bytes / HV_FRAME_BYTES);
	long found = syscall(SYS_mmap, NULL, space, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	long bits = syscall(SYS_mmap, NULL, words, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *base;

	if (found == -1 || bits == -1)
		return errno;
	base = (uint8_t *)(((uintptr_t)found + HV_SEGMENT_BYTES - 1) & ~(HV_SEGMENT_BYTES - 1));
	if (syscall(SYS_mmap, base, program->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) == -1)
		return errno;
	hv_frames_init(&program->frames, (uint64_t *)bits, program->bytes / HV_FRAME_BYTES,
		       (program->bytes - 1) / HV_SEGMENT_BYTES * (HV_SEGMENT_BYTES / HV_FRAME_BYTES));
	program->base = base;
	return 0;
}

// A child has a copy of its parent's memory. What is in it goes into the memory that came, which takes its place.
static int lay_over_copy(struct hv_program *program, int memory)
{
	long found = syscall(SYS_mmap, NULL, program->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	uint8_t *fresh = (uint8_t *)found;

	if (found == -1)
		return errno;
	for (size_t frame = 0; frame < program->frames.count; frame++) {
		if (hv_frames_is_used(&program->frames, frame))
			memcpy(fresh + frame * HV_FRAME_BYTES, program->base + frame * HV_FRAME_BYTES, HV_FRAME_BYTES);
	}
	// The kernel moves it at once: nothing that the program has is missing for a moment.
	return syscall(SYS_mremap, fresh, program->bytes, program->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, program->base)
			       == -1
		       ? errno
		       : 0;
}

static int take_memory(struct hv_program *program, int memory, size_t bytes_before)
{
	if (program->base == NULL)
		return map(program, memory);
	return program->bytes == bytes_before ? lay_over_copy(program, memory) : EPROTO;
}

static int read_greeting(struct hv_program *program, const uint8_t *bytes, size_t length)
{
	struct hv_pb_in in = hv_pb_read(bytes, length);
	struct hv_pb_field field;
	uint64_t version = 0;
	uint64_t status = 0;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_EXECUTABLE_GREETING_VERSION:
			version = field.value;
			break;
		case HV_EXECUTABLE_GREETING_STATUS:
			status = field.value;
			break;
		case HV_EXECUTABLE_GREETING_MEMORY_BYTES:
			program->bytes = field.value;
			break;
		case HV_EXECUTABLE_GREETING_DOMAIN:
			hv_pb_text(&field, program->domain, sizeof(program->domain));
			break;
		}
	}
	if (in.malformed || version != VERSION)
		return EPROTO;
	if (status != 0)
		return hv_status_errno((uint32_t)status);
	return program->bytes == 0 || program->bytes % HV_FRAME_BYTES != 0 ? EPROTO : 0;
}

static int greet(struct hv_program *program)
{
	uint8_t greeting[GREETING_BYTES];
	int descriptors[HV_MAX_DESCRIPTORS];
	size_t before = program->bytes;
	long length = hv_receive_packet(program->socket, greeting, sizeof(greeting), descriptors);
	int error = length < 0 ? (int)-length : read_greeting(program, greeting, (size_t)length);

	if (error == 0 && (descriptors[0] < 0 || descriptors[1] < 0))
		error = EPROTO;
	if (error == 0)
		error = take_memory(program, descriptors[0], before);
	if (descriptors[0] >= 0)
		syscall(SYS_close, descriptors[0]);
	if (descriptors[1] >= 0 && error != 0)
		syscall(SYS_close, descriptors[1]);
	else
		program->doorbell = descriptors[1] < 0 ? -1 : moved_up(descriptors[1]);
	return error;
}

static int try_to_connect(struct hv_program *program)
{
	int error = 0;

	program->socket = open_socket();
	if (program->socket < 0)
		error = -program->socket;
	else
		error = greet(program);
	if (error != 0 && program->socket >= 0)
		syscall(SYS_close, program->socket);
	return error;
}

static void connect_once(struct hv_program *program)
{
	int error = try_to_connect(program);

	program->error = error;
	__atomic_store_n(&program->state, error == 0 ? HV_PROGRAM_CONNECTED : HV_PROGRAM_ALONE, __ATOMIC_RELEASE);
}

int hv_program_connect(struct hv_program *program)
{
	enum hv_program_state state = __atomic_load_n(&program->state, __ATOMIC_ACQUIRE);

	if (state == HV_PROGRAM_NEW) {
		hv_lock(&program->connecting);
		if (program->state == HV_PROGRAM_NEW)
			connect_once(program);
		hv_unlock(&program->connecting);
		state = program->state;
	}
	if (state == HV_PROGRAM_FORKED)
		return ENODEV;
	return state == HV_PROGRAM_CONNECTED ? 0 : program->error;
}

int hv_program_adopt(struct hv_program *program)
{
	size_t bytes = program->bytes;
	int error = 0;

	hv_lock(&program->connecting);
	hv_lock(&program->allocating);
	if (program->state == HV_PROGRAM_FORKED) {
		error = try_to_connect(program);
		// What is there is a copy as before, of that size.
		program->bytes = bytes;
		if (error == 0)
			hv_places_share(program);
		if (error == 0)
			__atomic_store_n(&program->state, HV_PROGRAM_CONNECTED, __ATOMIC_RELEASE);
	}
	hv_unlock(&program->allocating);
	hv_unlock(&program->connecting);
	return error;
}

void *hv_program_take(struct hv_program *program, size_t bytes)
{
	size_t wanted = bytes / HV_FRAME_BYTES + (bytes % HV_FRAME_BYTES != 0);
	size_t align = bytes >= HV_SEGMENT_BYTES ? HV_SEGMENT_BYTES / HV_FRAME_BYTES : 1;
	size_t first;

	if (__atomic_load_n(&program->state, __ATOMIC_ACQUIRE) != HV_PROGRAM_CONNECTED)
		return NULL;
	hv_lock(&program->allocating);
	first = hv_frames_take(&program->frames, wanted, align);
	hv_unlock(&program->allocating);
	return first == HV_NO_FRAME ? NULL : program->base + first * HV_FRAME_BYTES;
}

void hv_program_give(struct hv_program *program, void *address, size_t bytes)
{
	size_t first = (size_t)((uint8_t *)address - program->base) / HV_FRAME_BYTES;

	// The program may have taken itself the right to write.
	syscall(SYS_mprotect, address, bytes, PROT_READ | PROT_WRITE);
	memset(address, 0, bytes);
	hv_lock(&program->allocating);
	hv_frames_give(&program->frames, first, bytes / HV_FRAME_BYTES);
	hv_unlock(&program->allocating);
}

int64_t hv_program_offset(const struct hv_program *program, const void *address, size_t bytes)
{
	size_t offset = (size_t)((uintptr_t)address - (uintptr_t)program->base);

	if (program->base == NULL || offset >= program->bytes || bytes > program->bytes - offset)
		return -1;
	return (int64_t)offset;
}

long hv_program_call(struct hv_program *program, const void *request, size_t length, void *reply, size_t room,
		     int descriptors[HV_MAX_DESCRIPTORS])
{
	struct hv_pb_out head = {0};
	long result = hv_program_connect(program);

	descriptors[0] = -1;
	descriptors[1] = -1;
	if (result != 0)
		return -result;
	pthread_mutex_lock(&program->calling);
	hv_pb_put(&head, HV_CONTROL_REQUEST_REQUEST_ID, ++program->request_id);
	result = hv_send_packet(program->socket, head.bytes, head.length, request, length);
	if (result == 0)
		result = hv_receive_packet(program->socket, reply, room, descriptors);
	pthread_mutex_unlock(&program->calling);
	return result;
}
