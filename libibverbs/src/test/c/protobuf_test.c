// The C codec against messages that the Java codec wrote.
#include <string.h>

#include "check.h"
#include "hv_constants.h"
#include "hv_samples.h"
#include "protobuf.h"

static void put_run(struct hv_pb_out *out, uint64_t first, uint64_t count)
{
	size_t run = hv_pb_open(out, HV_REGISTER_MEMORY_RUNS);

	hv_pb_put(out, HV_FRAME_RUN_FIRST_FRAME, first);
	hv_pb_put(out, HV_FRAME_RUN_COUNT, count);
	hv_pb_close(out, run);
}

static void writes_a_registration(void)
{
	struct hv_pb_out out = {0};
	size_t opened = hv_pb_open(&out, HV_CONTROL_REQUEST_REGISTER_MEMORY);

	hv_pb_put(&out, HV_REGISTER_MEMORY_PD, 0x100000007);
	hv_pb_put(&out, HV_REGISTER_MEMORY_VIRTUAL_ADDRESS, 0x7f1234567890);
	hv_pb_put(&out, HV_REGISTER_MEMORY_LENGTH_BYTES, 3 << 20);
	hv_pb_put(&out, HV_REGISTER_MEMORY_ACCESS, 7);
	put_run(&out, 0, 5);
	put_run(&out, 70000, 1);
	hv_pb_close(&out, opened);
	CHECK(!out.overflow);
	CHECK(out.length == sizeof(register_memory_sample));
	CHECK(memcmp(out.bytes, register_memory_sample, out.length) == 0);
}

// A message in a message, with bytes; none of them are left out.
static void writes_bytes(void)
{
	struct hv_pb_out out = {0};
	size_t management = hv_pb_open(&out, HV_CONTROL_REQUEST_MANAGEMENT);
	size_t answer = hv_pb_open(&out, HV_MANAGEMENT_REQUEST_ANSWER);

	hv_pb_put(&out, HV_ANSWER_CONNECTION, 0x7123456789abcdef);
	hv_pb_put(&out, HV_ANSWER_KIND, HV_MANAGEMENT_REQUEST_ANSWER_KIND_REJ);
	hv_pb_put_bytes(&out, HV_ANSWER_PRIVATE_DATA, "not now", 7);
	hv_pb_put_bytes(&out, HV_ANSWER_PRIVATE_DATA, NULL, 0);
	hv_pb_close(&out, answer);
	hv_pb_close(&out, management);
	CHECK(!out.overflow);
	CHECK(out.length == sizeof(answer_sample));
	CHECK(memcmp(out.bytes, answer_sample, out.length) == 0);
}

static void put_attribute(struct hv_pb_out *out, uint64_t key, uint64_t value)
{
	size_t entry = hv_pb_open(out, HV_MODIFY_QP_ATTRIBUTES);

	hv_pb_put_always(out, HV_MODIFY_QP_ATTRIBUTES_ENTRY_KEY, key);
	hv_pb_put_always(out, HV_MODIFY_QP_ATTRIBUTES_ENTRY_VALUE, value);
	hv_pb_close(out, entry);
}

static void put_route(struct hv_pb_out *out)
{
	size_t route = hv_pb_open(out, HV_MODIFY_QP_ROUTE);
	size_t gid = hv_pb_open(out, HV_GLOBAL_ROUTE_DESTINATION);

	hv_pb_put(out, HV_GID_PREFIX, 0xfe80000000000000);
	hv_pb_put(out, HV_GID_INTERFACE_ID, 0x0248560000000101);
	hv_pb_close(out, gid);
	hv_pb_put(out, HV_GLOBAL_ROUTE_FLOW_LABEL, 5);
	hv_pb_put(out, HV_GLOBAL_ROUTE_HOP_LIMIT, 64);
	hv_pb_close(out, route);
}

// The head of the message is a varint of two bytes.
static void writes_messages_in_messages(void)
{
	struct hv_pb_out out = {0};
	size_t opened = hv_pb_open(&out, HV_CONTROL_REQUEST_MODIFY_QP);

	hv_pb_put(&out, HV_MODIFY_QP_QP, 9);
	put_attribute(&out, HV_QP_ATTRIBUTE_STATE, HV_QP_STATE_RTR);
	put_attribute(&out, HV_QP_ATTRIBUTE_PORT, 0);
	put_attribute(&out, HV_QP_ATTRIBUTE_AV, 3);
	put_attribute(&out, HV_QP_ATTRIBUTE_DEST_QPN, 0xabcdef);
	put_route(&out);
	hv_pb_put(&out, HV_MODIFY_QP_STATIC_RATE, 7);
	hv_pb_close(&out, opened);
	CHECK(out.length == sizeof(modify_qp_sample));
	CHECK(memcmp(out.bytes, modify_qp_sample, out.length) == 0);
}

static void reads_a_reply(void)
{
	struct hv_pb_in in = hv_pb_read(memory_registered_sample, sizeof(memory_registered_sample));
	struct hv_pb_field field;
	struct hv_pb_in reply;

	CHECK(hv_pb_next(&in, &field));
	CHECK(field.tag == HV_CONTROL_REPLY_MEMORY_REGISTERED);
	reply = field.bytes;
	CHECK(!hv_pb_next(&in, &field) && !in.malformed);
	CHECK(hv_pb_next(&reply, &field) && field.tag == HV_MEMORY_REGISTERED_REGION && field.value == 0x100000009);
	CHECK(hv_pb_next(&reply, &field) && field.tag == HV_MEMORY_REGISTERED_LKEY && field.value == 0x81234567);
	CHECK(hv_pb_next(&reply, &field) && field.tag == HV_MEMORY_REGISTERED_RKEY && field.value == 0x0089abcd);
	CHECK(!hv_pb_next(&reply, &field) && !reply.malformed);
}

static void reads_a_refusal(void)
{
	struct hv_pb_in in = hv_pb_read(refused_sample, sizeof(refused_sample));
	struct hv_pb_field field;
	char text[8];

	CHECK(hv_pb_next(&in, &field) && field.tag == HV_CONTROL_REPLY_STATUS
	      && field.value == HV_VERBS_STATUS_ENOMEM);
	CHECK(hv_pb_next(&in, &field) && field.tag == HV_CONTROL_REPLY_MESSAGE);
	hv_pb_text(&field, text, sizeof(text));
	CHECK(strcmp(text, "no more") == 0);
}

// Any bytes end: cut anywhere they are either a message still, or malformed.
static void ends_on_cut_messages(void)
{
	for (size_t length = 0; length <= sizeof(modify_qp_sample); length++) {
		uint8_t *cut = malloc(length + (length == 0));
		struct hv_pb_in in;
		struct hv_pb_field field;
		size_t fields = 0;

		memcpy(cut, modify_qp_sample, length);
		in = hv_pb_read(cut, length);
		while (hv_pb_next(&in, &field))
			fields++;
		CHECK(in.malformed == (length != 0 && length != sizeof(modify_qp_sample)));
		CHECK(fields == (length == sizeof(modify_qp_sample)));
		free(cut);
	}
}

static void reads_noise(void)
{
	srand(1);
	for (int round = 0; round < 100000; round++) {
		size_t length = (size_t)rand() % 64;
		uint8_t *noise = malloc(length + 1);
		struct hv_pb_in in;
		struct hv_pb_field field;
		size_t fields = 0;

		for (size_t i = 0; i < length; i++)
			noise[i] = (uint8_t)rand();
		in = hv_pb_read(noise, length);
		while (hv_pb_next(&in, &field))
			fields++;
		CHECK(fields <= length);
		free(noise);
	}
}

static void leaves_out_what_does_not_fit(void)
{
	struct hv_pb_out out = {0};
	size_t opened = hv_pb_open(&out, HV_CONTROL_REQUEST_REGISTER_MEMORY);

	for (int i = 0; i < HV_PB_BYTES; i++)
		hv_pb_put(&out, HV_REGISTER_MEMORY_PD, 1);
	hv_pb_close(&out, opened);
	CHECK(out.overflow && out.length <= sizeof(out.bytes));
}

int main(void)
{
	writes_a_registration();
	writes_bytes();
	writes_messages_in_messages();
	reads_a_reply();
	reads_a_refusal();
	ends_on_cut_messages();
	reads_noise();
	leaves_out_what_does_not_fit();
	return 0;
}
