// Packets of a SOCK_SEQPACKET socket, with descriptors.
#ifndef HV_PACKETS_H
#define HV_PACKETS_H

#include <stddef.h>
#include <stdint.h>

#include "program.h"

// Sends the two parts as one packet. 0, or minus an errno.
long hv_send_packet(int socket, const void *head, size_t head_length, const void *body, size_t length);

// Its length, or minus an errno: EMSGSIZE if there is no room for all of it, ECONNRESET if nobody is there any more.
// Places of `descriptors` without one are -1.
long hv_receive_packet(int socket, void *bytes, size_t room, int descriptors[HV_MAX_DESCRIPTORS]);

// The errno of a VerbsStatus that is not success.
int hv_status_errno(uint32_t status);

#endif
