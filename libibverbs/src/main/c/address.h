// Addresses in messages.
#ifndef HV_ADDRESS_H
#define HV_ADDRESS_H

#include "verbs.h"

void hv_put_gid(struct hv_pb_out *out, uint32_t tag, const union ibv_gid *gid);
void hv_put_route(struct hv_pb_out *out, uint32_t tag, const struct ibv_global_route *route);
void hv_read_route(struct hv_pb_in in, struct ibv_global_route *route);

#endif
