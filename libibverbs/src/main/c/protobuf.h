// Protocol buffers, as far as requests and replies of the device channel need them: fields by tag, messages in
// messages. No memory is allocated.
#ifndef HV_PROTOBUF_H
#define HV_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Largest request that a program makes: a queue pair's attributes with a route are some 200 bytes.
#define HV_PB_BYTES 1024

// A message that is being written. What does not fit sets `overflow`, and is left out.
struct hv_pb_out {
	size_t length;
	bool overflow;
	uint8_t bytes[HV_PB_BYTES];
};

// What is left of a message that is being read.
struct hv_pb_in {
	const uint8_t *at;
	const uint8_t *end;
	bool malformed;
};

// One field: a number in `value`, or the bytes of a string or message.
struct hv_pb_field {
	uint32_t tag;
	uint64_t value;
	struct hv_pb_in bytes;
};

// Writes a number in the wire type of its tag; 0 is not written, as proto3 wants it.
void hv_pb_put(struct hv_pb_out *out, uint32_t tag, uint64_t value);

// The same, and 0 too: where a field's presence says something.
void hv_pb_put_always(struct hv_pb_out *out, uint32_t tag, uint64_t value);

// Writes a string, or bytes; none are not written.
void hv_pb_put_bytes(struct hv_pb_out *out, uint32_t tag, const void *bytes, size_t length);

// Begins a message in the message; what it returns is for hv_pb_close.
size_t hv_pb_open(struct hv_pb_out *out, uint32_t tag);
void hv_pb_close(struct hv_pb_out *out, size_t opened);

struct hv_pb_in hv_pb_read(const uint8_t *bytes, size_t length);

// Reads the next field; false at the end, or if the bytes are no message.
bool hv_pb_next(struct hv_pb_in *in, struct hv_pb_field *field);

// Copies a string, cut to the room there is, with a 0 at its end.
void hv_pb_text(const struct hv_pb_field *field, char *text, size_t room);

#endif
