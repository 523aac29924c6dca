// Attacks of an executable on its guest's driver and on the HCA, by the sources of the C library and without its rules.
// usage: attacks NAME; `attacks list` names them. Exit code 0: the attack was made and got nothing. 1: it got
// something, which it says. What became of others is for the caller to see.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "channel.h"
#include "hv_constants.h"
#include "packets.h"
#include "protobuf.h"

#define MANY 200
#define ROUNDS 100000
#define OVERLONG (80 * 1024)

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void got(const char *what, long value)
{
	printf("got: %s (%ld)\n", what, value);
	exit(1);
}

static void needs(int is_there, const char *what)
{
	if (!is_there) {
		printf("cannot attack: %s: %s\n", what, strerror(errno));
		exit(2);
	}
}

static int connected(int flags)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | flags, 0);

	needs(descriptor >= 0, "socket");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", getenv("HV_VERBS_SOCKET"));
	if (connect(descriptor, (struct sockaddr *)&address, sizeof(address)) == 0)
		return descriptor;
	close(descriptor);
	return -1;
}

// Reads until the driver ends the connection; false if it does not within 20 s.
static int is_ended(int descriptor)
{
	char bytes[4096];
	struct pollfd wait = {.fd = descriptor, .events = POLLIN};

	while (poll(&wait, 1, 20000) == 1) {
		if (recv(descriptor, bytes, sizeof(bytes), 0) <= 0)
			return 1;
	}
	return 0;
}

// Bytes that are no request end the connection, and nothing else.
static void garbage(void)
{
	uint64_t bytes[64];

	for (int i = 0; i < MANY; i++) {
		int descriptor = connected(0);

		needs(descriptor >= 0, "connect");
		for (int word = 0; word < 64; word++)
			bytes[word] = any();
		send(descriptor, bytes, 1 + any() % sizeof(bytes), MSG_NOSIGNAL);
		shutdown(descriptor, SHUT_WR);
		if (!is_ended(descriptor))
			got("a connection that goes on after garbage", i);
		close(descriptor);
	}
}

static void overlong_packets(void)
{
	static char bytes[OVERLONG];
	int descriptor = connected(0);

	needs(descriptor >= 0, "connect");
	needs(send(descriptor, bytes, sizeof(bytes), MSG_NOSIGNAL) == OVERLONG, "send");
	if (!is_ended(descriptor))
		got("a connection that goes on after an overlong packet", OVERLONG);
}

// The driver has room for some hundred descriptors; it takes none.
static void descriptors(void)
{
	char byte = 0;
	struct iovec part = {&byte, 1};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(250 * sizeof(int))];
	} control = {0};

	for (int i = 0; i < 20; i++) {
		struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
					 .msg_controllen = sizeof(control)};
		int descriptor = connected(0);

		needs(descriptor >= 0, "connect");
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(250 * sizeof(int));
		for (int at = 0; at < 250; at++)
			((int *)CMSG_DATA(&control.head))[at] = 0;
		needs(sendmsg(descriptor, &message, MSG_NOSIGNAL) == 1, "sendmsg");
		if (!is_ended(descriptor))
			got("a connection that goes on after descriptors", i);
		close(descriptor);
	}
}

// More than are accepted, and as many as the kernel keeps waiting; all go at once with the program.
static void connections(void)
{
	int count = 0;

	while (count < MANY && connected(SOCK_NONBLOCK) >= 0)
		count++;
	printf("made %d connections\n", count);
}

static uint64_t open_context(int descriptors[HV_MAX_DESCRIPTORS])
{
	static const uint32_t tags[] = {HV_CONTEXT_OPENED_CONTEXT};
	struct hv_call call;
	uint64_t context = 0;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_OPEN_CONTEXT);
	error = hv_call_do(&call, HV_CONTROL_REPLY_CONTEXT_OPENED);
	errno = error;
	needs(error == 0, "open");
	hv_read_numbers(call.reply, tags, &context, 1);
	memcpy(descriptors, call.descriptors, sizeof(call.descriptors));
	return context;
}

// Asks for objects as long as the driver takes requests, and reads no reply.
static void unread_replies(void)
{
	int pages[HV_MAX_DESCRIPTORS];
	uint64_t context = open_context(pages);
	int socket = hv_the_program()->socket;
	struct hv_pb_out request = {0};
	struct pollfd wait = {.fd = socket, .events = POLLOUT};
	size_t opened = hv_pb_open(&request, HV_CONTROL_REQUEST_ALLOCATE_PD);
	int count = 0;

	hv_pb_put(&request, HV_ALLOCATE_PD_CONTEXT, context);
	hv_pb_close(&request, opened);
	while (count < ROUNDS && poll(&wait, 1, 2000) == 1
	       && send(socket, request.bytes, request.length, MSG_NOSIGNAL) > 0)
		count++;
	printf("made %d requests\n", count);
}

static void others_handles(void)
{
	int pages[HV_MAX_DESCRIPTORS];
	uint64_t context = open_context(pages);

	for (uint64_t i = 0; i < 3000; i++) {
		uint64_t handle = i < 2000 ? i : any();
		struct hv_call call;

		if (handle == context)
			continue;
		if (hv_destroy((uint32_t)(any() % 9), handle) == 0)
			got("the end of another's object", (long)handle);
		hv_call_begin(&call, HV_CONTROL_REQUEST_ALLOCATE_PD);
		hv_pb_put(&call.request, HV_ALLOCATE_PD_CONTEXT, handle);
		if (hv_call_do(&call, HV_CONTROL_REPLY_PD_ALLOCATED) == 0)
			got("a protection domain of another's context", (long)handle);
		hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_QP);
		hv_pb_put(&call.request, HV_QUERY_QP_QP, handle);
		if (hv_call_do(&call, HV_CONTROL_REPLY_QP_QUERIED) == 0)
			got("attributes of another's queue pair", (long)handle);
	}
}

static void others_frames(void)
{
	int pages[HV_MAX_DESCRIPTORS];
	uint64_t context = open_context(pages);
	uint64_t own = hv_the_program()->bytes / HV_FRAME_BYTES;
	const uint64_t runs[][2] = {{own, 1}, {own - 1, 2}, {own + 1, 1}, {0, own + 1}, {UINT64_MAX, 1}, {0, UINT64_MAX},
				    {UINT64_MAX, 2}, {UINT64_MAX - 1, UINT64_MAX}, {(uint64_t)1 << 52, 1},
				    {((uint64_t)1 << 32) + 1, 1}, {1, (uint64_t)1 << 32}, {(uint64_t)1 << 63, 1}};

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct hv_call call;
		size_t opened;

		hv_call_begin(&call, HV_CONTROL_REQUEST_REGISTER_RING);
		hv_pb_put(&call.request, HV_REGISTER_RING_CONTEXT, context);
		hv_pb_put(&call.request, HV_REGISTER_RING_LENGTH_BYTES, runs[i][1] * HV_FRAME_BYTES);
		opened = hv_pb_open(&call.request, HV_REGISTER_RING_RUNS);
		hv_pb_put(&call.request, HV_FRAME_RUN_FIRST_FRAME, runs[i][0]);
		hv_pb_put(&call.request, HV_FRAME_RUN_COUNT, runs[i][1]);
		hv_pb_close(&call.request, opened);
		if (hv_call_do(&call, HV_CONTROL_REPLY_RING_REGISTERED) == 0)
			got("a ring of frames that are not its own", (long)i);
	}
}

// Files that the driver or the HCA have mapped: they would die of a file that is shorter.
static void shorter_files(void)
{
	int descriptors[HV_MAX_DESCRIPTORS];
	int pages[HV_MAX_DESCRIPTORS];
	uint8_t greeting[1024];
	int other = connected(0);

	needs(other >= 0, "connect");
	needs(hv_receive_packet(other, greeting, sizeof(greeting), descriptors) > 0, "greeting");
	if (ftruncate(descriptors[0], 0) == 0)
		got("shorter memory", 0);
	close(other);
	open_context(pages);
	for (int i = 0; i < HV_MAX_DESCRIPTORS; i++) {
		if (ftruncate(pages[i], 0) == 0)
			got("a shorter page", i);
	}
	// Holes read as zeroes, and harm nobody but their maker.
	fallocate(pages[0], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, HV_UAR_SIZE_BYTES);
	if (mmap(NULL, HV_STATUS_PAGE_SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, pages[1], 0) != MAP_FAILED)
		got("a status page to write to", 1);
	if (write(pages[1], greeting, 64) > 0 || pwrite(pages[1], greeting, 64, 0) > 0)
		got("a written status page", 1);
}

// Every doorbell, and whatever else there is in the page, over and over.
static void doorbells(void)
{
	int pages[HV_MAX_DESCRIPTORS];
	volatile uint64_t *uar;

	open_context(pages);
	uar = mmap(NULL, HV_UAR_SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, pages[0], 0);
	needs(uar != MAP_FAILED, "mmap");
	for (int i = 0; i < ROUNDS; i++) {
		uar[any() % (HV_UAR_SIZE_BYTES / sizeof(uint64_t))] = any();
		if (i % 1000 == 0)
			needs(write(hv_the_program()->doorbell, &(uint64_t){1}, sizeof(uint64_t)) > 0, "doorbell");
	}
}

// The eventfd that wakes the HCA, full: who rings must not wait.
static void full_doorbell(void)
{
	int pages[HV_MAX_DESCRIPTORS];
	uint64_t most = UINT64_MAX - 1;
	int doorbell;

	open_context(pages);
	doorbell = hv_the_program()->doorbell;
	for (int i = 0; i < 1000; i++) {
		struct pollfd wait = {.fd = doorbell, .events = POLLOUT};

		if (poll(&wait, 1, 0) == 1 && write(doorbell, &most, sizeof(most)) < 0)
			break;
	}
}

struct attribute {
	uint64_t key;
	uint64_t value;
};

static void modify(uint64_t qp, int count, const struct attribute *attributes)
{
	struct hv_call call;

	hv_call_begin(&call, HV_CONTROL_REQUEST_MODIFY_QP);
	hv_pb_put(&call.request, HV_MODIFY_QP_QP, qp);
	for (int i = 0; i < count; i++) {
		size_t opened = hv_pb_open(&call.request, HV_MODIFY_QP_ATTRIBUTES);

		hv_pb_put(&call.request, HV_MODIFY_QP_ATTRIBUTES_ENTRY_KEY, attributes[i].key);
		hv_pb_put(&call.request, HV_MODIFY_QP_ATTRIBUTES_ENTRY_VALUE, attributes[i].value);
		hv_pb_close(&call.request, opened);
	}
	errno = hv_call_do(&call, 0);
	needs(errno == 0, "modify");
}

static void make_ready(uint64_t qp)
{
	const struct attribute reset[] = {{HV_QP_ATTRIBUTE_STATE, HV_QP_STATE_RESET}};
	const struct attribute init[] = {{HV_QP_ATTRIBUTE_STATE, HV_QP_STATE_INIT},
					 {HV_QP_ATTRIBUTE_PKEY_INDEX, 0},
					 {HV_QP_ATTRIBUTE_PORT, 1},
					 {HV_QP_ATTRIBUTE_QKEY, 7}};
	const struct attribute receives[] = {{HV_QP_ATTRIBUTE_STATE, HV_QP_STATE_RTR}};
	const struct attribute sends[] = {{HV_QP_ATTRIBUTE_STATE, HV_QP_STATE_RTS}, {HV_QP_ATTRIBUTE_SQ_PSN, 0}};

	modify(qp, 1, reset);
	modify(qp, 4, init);
	modify(qp, 1, receives);
	modify(qp, 2, sends);
}

// A queue pair and its completion queue, made by the rules; then their rings are written full of anything.
static void rings(void)
{
	static const uint32_t ring_tags[] = {HV_RING_REGISTERED_RING};
	static const uint32_t cq_tags[] = {HV_CQ_CREATED_CQ};
	static const uint32_t pd_tags[] = {HV_PD_ALLOCATED_PD};
	static const uint32_t qp_tags[] = {HV_QP_CREATED_QP};
	int pages[HV_MAX_DESCRIPTORS];
	uint64_t context = open_context(pages);
	volatile uint64_t *uar = mmap(NULL, HV_UAR_SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, pages[0], 0);
	struct hv_program *program = hv_the_program();
	uint64_t handles[2];
	volatile uint64_t *words[2];
	size_t bytes = 64 * HV_FRAME_BYTES;
	uint64_t pd;
	uint64_t cq;
	uint64_t qp;
	struct hv_call call;

	needs(uar != MAP_FAILED, "mmap");
	for (int i = 0; i < 2; i++) {
		words[i] = hv_program_take(program, bytes);
		needs(words[i] != NULL, "memory");
		hv_call_begin(&call, HV_CONTROL_REQUEST_REGISTER_RING);
		hv_pb_put(&call.request, HV_REGISTER_RING_CONTEXT, context);
		hv_pb_put(&call.request, HV_REGISTER_RING_LENGTH_BYTES, bytes);
		needs(hv_put_frames(&call, HV_REGISTER_RING_RUNS, (const void *)words[i], bytes) == 0, "frames");
		needs((errno = hv_call_do(&call, HV_CONTROL_REPLY_RING_REGISTERED)) == 0, "ring");
		hv_read_numbers(call.reply, ring_tags, &handles[i], 1);
	}
	hv_call_begin(&call, HV_CONTROL_REQUEST_ALLOCATE_PD);
	hv_pb_put(&call.request, HV_ALLOCATE_PD_CONTEXT, context);
	needs((errno = hv_call_do(&call, HV_CONTROL_REPLY_PD_ALLOCATED)) == 0, "protection domain");
	hv_read_numbers(call.reply, pd_tags, &pd, 1);
	hv_call_begin(&call, HV_CONTROL_REQUEST_CREATE_CQ);
	hv_pb_put(&call.request, HV_CREATE_CQ_CONTEXT, context);
	hv_pb_put(&call.request, HV_CREATE_CQ_ENTRIES, 1024);
	hv_pb_put(&call.request, HV_CREATE_CQ_RING, handles[0]);
	hv_pb_put(&call.request, HV_CREATE_CQ_EVENTS, 1);
	needs((errno = hv_call_do(&call, HV_CONTROL_REPLY_CQ_CREATED)) == 0, "completion queue");
	hv_read_numbers(call.reply, cq_tags, &cq, 1);
	hv_call_begin(&call, HV_CONTROL_REQUEST_CREATE_QP);
	hv_pb_put(&call.request, HV_CREATE_QP_PD, pd);
	hv_pb_put(&call.request, HV_CREATE_QP_TYPE, HV_QP_TYPE_UD);
	hv_pb_put(&call.request, HV_CREATE_QP_SEND_CQ, cq);
	hv_pb_put(&call.request, HV_CREATE_QP_RECEIVE_CQ, cq);
	hv_pb_put(&call.request, HV_CREATE_QP_RING, handles[1]);
	hv_pb_put(&call.request, HV_CREATE_QP_SEND_WR, 64);
	hv_pb_put(&call.request, HV_CREATE_QP_RECEIVE_WR, 64);
	hv_pb_put(&call.request, HV_CREATE_QP_SEND_SGE, 2);
	hv_pb_put(&call.request, HV_CREATE_QP_RECEIVE_SGE, 2);
	needs((errno = hv_call_do(&call, HV_CONTROL_REPLY_QP_CREATED)) == 0, "queue pair");
	hv_read_numbers(call.reply, qp_tags, &qp, 1);
	for (int i = 0; i < ROUNDS; i++) {
		// One bad work request ends it until then.
		if (i % 1000 == 0)
			make_ready(qp);
		words[i % 2][any() % (bytes / sizeof(uint64_t))] = any();
		uar[any() % (HV_UAR_SIZE_BYTES / sizeof(uint64_t))] = UINT64_MAX;
		if (i % 1000 == 0)
			needs(write(program->doorbell, &(uint64_t){1}, sizeof(uint64_t)) > 0, "doorbell");
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} attacks[] = {
	{"garbage", garbage},
	{"overlong-packets", overlong_packets},
	{"descriptors", descriptors},
	{"connections", connections},
	{"unread-replies", unread_replies},
	{"others-handles", others_handles},
	{"others-frames", others_frames},
	{"shorter-files", shorter_files},
	{"doorbells", doorbells},
	{"full-doorbell", full_doorbell},
	{"rings", rings},
};

int main(int count, char **words)
{
	for (size_t i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
		if (count == 2 && strcmp(words[1], "list") == 0) {
			puts(attacks[i].name);
		} else if (count == 2 && strcmp(words[1], attacks[i].name) == 0) {
			attacks[i].run();
			return 0;
		}
	}
	return count == 2 && strcmp(words[1], "list") == 0 ? 0 : 2;
}
