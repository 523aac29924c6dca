#include "protobuf.h"

#include <string.h>

enum wire_type { VARINT = 0, FIXED64 = 1, LENGTH_DELIMITED = 2, FIXED32 = 5 };

#define TAG_TYPE_MASK 7
#define MAX_VARINT_BYTES 10

static void put_byte(struct hv_pb_out *out, uint8_t byte)
{
	if (out->length == sizeof(out->bytes)) {
		out->overflow = true;
		return;
	}
	out->bytes[out->length++] = byte;
}

static void put_varint(struct hv_pb_out *out, uint64_t value)
{
	while (value >= 0x80) {
		put_byte(out, (uint8_t)(value | 0x80));
		value >>= 7;
	}
	put_byte(out, (uint8_t)value);
}

static void put_fixed(struct hv_pb_out *out, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		put_byte(out, (uint8_t)(value >> (8 * i)));
}

void hv_pb_put_always(struct hv_pb_out *out, uint32_t tag, uint64_t value)
{
	put_varint(out, tag);
	switch (tag & TAG_TYPE_MASK) {
	case VARINT:
		put_varint(out, value);
		break;
	case FIXED64:
		put_fixed(out, value, 8);
		break;
	case FIXED32:
		put_fixed(out, value, 4);
		break;
	default:
		out->overflow = true;
	}
}

void hv_pb_put(struct hv_pb_out *out, uint32_t tag, uint64_t value)
{
	if (value != 0)
		hv_pb_put_always(out, tag, value);
}

void hv_pb_put_bytes(struct hv_pb_out *out, uint32_t tag, const void *bytes, size_t length)
{
	if (length == 0)
		return;
	put_varint(out, tag);
	put_varint(out, length);
	for (size_t i = 0; i < length; i++)
		put_byte(out, ((const uint8_t *)bytes)[i]);
}

size_t hv_pb_open(struct hv_pb_out *out, uint32_t tag)
{
	put_varint(out, tag);
	return out->length;
}

// The length goes before the content once that is known: shorter than any that would have to be moved far.
void hv_pb_close(struct hv_pb_out *out, size_t opened)
{
	size_t length = out->length - opened;
	size_t head = 1;

	for (size_t left = length; left >= 0x80; left >>= 7)
		head++;
	if (out->overflow || out->length + head > sizeof(out->bytes)) {
		out->overflow = true;
		return;
	}
	memmove(out->bytes + opened + head, out->bytes + opened, length);
	out->length = opened;
	put_varint(out, length);
	out->length = opened + head + length;
}

struct hv_pb_in hv_pb_read(const uint8_t *bytes, size_t length)
{
	return (struct hv_pb_in){.at = bytes, .end = bytes + length};
}

static uint64_t malformed(struct hv_pb_in *in)
{
	in->malformed = true;
	in->at = in->end;
	return 0;
}

static uint64_t read_varint(struct hv_pb_in *in)
{
	uint64_t value = 0;

	for (int i = 0; i < MAX_VARINT_BYTES && in->at < in->end; i++) {
		uint8_t byte = *in->at++;

		value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if ((byte & 0x80) == 0)
			return value;
	}
	return malformed(in);
}

static uint64_t read_fixed(struct hv_pb_in *in, int bytes)
{
	uint64_t value = 0;

	if (in->end - in->at < bytes)
		return malformed(in);
	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)*in->at++ << (8 * i);
	return value;
}

static void read_bytes(struct hv_pb_in *in, struct hv_pb_field *field)
{
	uint64_t length = read_varint(in);

	if (in->malformed || length > (uint64_t)(in->end - in->at)) {
		malformed(in);
		return;
	}
	field->bytes = hv_pb_read(in->at, length);
	in->at += length;
}

bool hv_pb_next(struct hv_pb_in *in, struct hv_pb_field *field)
{
	if (in->at == in->end)
		return false;
	*field = (struct hv_pb_field){.tag = (uint32_t)read_varint(in)};
	switch (field->tag & TAG_TYPE_MASK) {
	case VARINT:
		field->value = read_varint(in);
		break;
	case FIXED64:
		field->value = read_fixed(in, 8);
		break;
	case FIXED32:
		field->value = read_fixed(in, 4);
		break;
	case LENGTH_DELIMITED:
		read_bytes(in, field);
		break;
	default:
		malformed(in);
	}
	return !in->malformed;
}

void hv_pb_text(const struct hv_pb_field *field, char *text, size_t room)
{
	size_t length = field->bytes.at == NULL ? 0 : (size_t)(field->bytes.end - field->bytes.at);

	if (length > room - 1)
		length = room - 1;
	if (length > 0)
		memcpy(text, field->bytes.at, length);
	text[length] = 0;
}
