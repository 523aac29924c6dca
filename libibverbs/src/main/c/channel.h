// Calls to the guest's driver.
#ifndef HV_CHANNEL_H
#define HV_CHANNEL_H

#include "protobuf.h"
#include "program.h"

// 16 events of the connection manager, each with private data and a path.
#define HV_REPLY_BYTES 16384

// For librdmacm.so.1.
#define HV_LENT __attribute__((visibility("default")))

struct hv_call {
	struct hv_pb_out request;
	size_t opened;
	struct hv_pb_in reply; // what is in it, once hv_call_do succeeded
	int descriptors[HV_MAX_DESCRIPTORS];
	uint8_t bytes[HV_REPLY_BYTES];
};

// The program's connection, made if need be; NULL and errno if there is none.
HV_LENT struct hv_program *hv_the_program(void);

// Gives a forked child a connection of its own. 0, or an errno.
int hv_adopt_program(void);

// Begins a request of that kind: a tag of ControlRequestMessage. Fields go into call->request.
HV_LENT void hv_call_begin(struct hv_call *call, uint32_t kind);

// Sends it and waits. `expected` is the reply's tag in ControlReplyMessage, 0 for one without content.
// 0, or an errno.
HV_LENT int hv_call_do(struct hv_call *call, uint32_t expected);

// Appends the frames of `bytes` of the program's memory at `address`. EFAULT if they are not in it.
int hv_put_frames(struct hv_call *call, uint32_t tag, const void *address, size_t bytes);

// The numbers of fields 1, 2 ... of a reply that has few: `tags` names them.
HV_LENT void hv_read_numbers(struct hv_pb_in in, const uint32_t *tags, uint64_t *values, int count);

int hv_destroy(uint32_t kind, uint64_t handle);

#endif
