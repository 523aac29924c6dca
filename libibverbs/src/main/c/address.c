// Address handles and multicast groups.
#include <stdlib.h>

#include "address.h"
#include "verbs.h"

void hv_put_route(struct hv_pb_out *out, uint32_t tag, const struct ibv_global_route *route)
{
	size_t whole = hv_pb_open(out, tag);

	hv_put_gid(out, HV_GLOBAL_ROUTE_DESTINATION, &route->dgid);
	hv_pb_put(out, HV_GLOBAL_ROUTE_FLOW_LABEL, route->flow_label);
	hv_pb_put(out, HV_GLOBAL_ROUTE_SOURCE_GID_INDEX, route->sgid_index);
	hv_pb_put(out, HV_GLOBAL_ROUTE_HOP_LIMIT, route->hop_limit);
	hv_pb_put(out, HV_GLOBAL_ROUTE_TRAFFIC_CLASS, route->traffic_class);
	hv_pb_close(out, whole);
}

void hv_put_gid(struct hv_pb_out *out, uint32_t tag, const union ibv_gid *gid)
{
	size_t opened = hv_pb_open(out, tag);

	hv_pb_put(out, HV_GID_PREFIX, be64toh(gid->global.subnet_prefix));
	hv_pb_put(out, HV_GID_INTERFACE_ID, be64toh(gid->global.interface_id));
	hv_pb_close(out, opened);
}

static void read_gid(struct hv_pb_in in, union ibv_gid *gid)
{
	static const uint32_t tags[] = {HV_GID_PREFIX, HV_GID_INTERFACE_ID};
	uint64_t values[2];

	hv_read_numbers(in, tags, values, 2);
	gid->global.subnet_prefix = htobe64(values[0]);
	gid->global.interface_id = htobe64(values[1]);
}

void hv_read_route(struct hv_pb_in in, struct ibv_global_route *route)
{
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_GLOBAL_ROUTE_DESTINATION: read_gid(field.bytes, &route->dgid); break;
		case HV_GLOBAL_ROUTE_FLOW_LABEL: route->flow_label = (uint32_t)field.value; break;
		case HV_GLOBAL_ROUTE_SOURCE_GID_INDEX: route->sgid_index = (uint8_t)field.value; break;
		case HV_GLOBAL_ROUTE_HOP_LIMIT: route->hop_limit = (uint8_t)field.value; break;
		case HV_GLOBAL_ROUTE_TRAFFIC_CLASS: route->traffic_class = (uint8_t)field.value; break;
		}
	}
}

static int create(struct hv_ah *ah, struct hv_pd *pd, const struct ibv_ah_attr *attributes)
{
	static const uint32_t tags[] = {HV_AH_CREATED_AH, HV_AH_CREATED_NUMBER};
	uint64_t values[2];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_CREATE_AH);
	hv_pb_put(&call.request, HV_CREATE_AH_PD, pd->handle);
	hv_pb_put(&call.request, HV_CREATE_AH_PORT, attributes->port_num);
	hv_pb_put(&call.request, HV_CREATE_AH_LID, attributes->dlid);
	hv_pb_put(&call.request, HV_CREATE_AH_SERVICE_LEVEL, attributes->sl);
	hv_pb_put(&call.request, HV_CREATE_AH_SOURCE_PATH_BITS, attributes->src_path_bits);
	hv_pb_put(&call.request, HV_CREATE_AH_STATIC_RATE, attributes->static_rate);
	if (attributes->is_global)
		hv_put_route(&call.request, HV_CREATE_AH_ROUTE, &attributes->grh);
	error = hv_call_do(&call, HV_CONTROL_REPLY_AH_CREATED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 2);
	ah->handle = values[0];
	ah->number = (uint32_t)values[1];
	return 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attributes)
{
	struct hv_ah *ah = calloc(1, sizeof(*ah));
	int error;

	if (ah == NULL)
		return hv_null(ENOMEM);
	error = create(ah, hv_pd(pd), attributes);
	if (error != 0) {
		free(ah);
		return hv_null(error);
	}
	ah->ah = (struct ibv_ah){.context = pd->context, .pd = pd, .handle = (uint32_t)ah->handle};
	__atomic_fetch_add(&hv_pd(pd)->children, 1, __ATOMIC_ACQ_REL);
	return &ah->ah;
}

int ibv_destroy_ah(struct ibv_ah *ibv)
{
	struct hv_ah *ah = (struct hv_ah *)ibv;
	int error = hv_destroy(HV_OBJECT_KIND_AH, ah->handle);

	if (error != 0)
		return error;
	__atomic_fetch_sub(&hv_pd(ibv->pd)->children, 1, __ATOMIC_ACQ_REL);
	free(ah);
	return 0;
}

// Index in the port's table of the GID that a message was sent to; minus an errno if it has none such.
static int gid_index(struct ibv_context *context, uint8_t port, const union ibv_gid *gid)
{
	struct ibv_port_attr attributes;
	int error = hv_query_port(context, port, &attributes, sizeof(attributes));

	for (int i = 0; error == 0 && i < attributes.gid_tbl_len; i++) {
		union ibv_gid found;

		if (ibv_query_gid(context, port, i, &found) != 0)
			return -errno;
		if (memcmp(&found, gid, sizeof(found)) == 0)
			return i;
	}
	return error != 0 ? -error : -ENOENT;
}

int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port, struct ibv_wc *completion, struct ibv_grh *header,
			struct ibv_ah_attr *attributes)
{
	uint32_t first;
	int index;

	*attributes = (struct ibv_ah_attr){.dlid = completion->slid,
					   .sl = completion->sl,
					   .src_path_bits = completion->dlid_path_bits,
					   .port_num = port};
	if ((completion->wc_flags & IBV_WC_GRH) == 0)
		return 0;
	// A group's GID is in no table: the answer comes from the port's first.
	index = header->dgid.raw[0] == 0xff ? 0 : gid_index(context, port, &header->dgid);
	if (index < 0) {
		errno = -index;
		return -1;
	}
	first = be32toh(header->version_tclass_flow);
	attributes->is_global = 1;
	attributes->grh = (struct ibv_global_route){.dgid = header->sgid,
						    .sgid_index = (uint8_t)index,
						    .flow_label = first & 0xfffff,
						    .traffic_class = (uint8_t)(first >> 20),
						    .hop_limit = 0xff};
	return 0;
}

struct ibv_ah *ibv_create_ah_from_wc(struct ibv_pd *pd, struct ibv_wc *completion, struct ibv_grh *header, uint8_t port)
{
	struct ibv_ah_attr attributes;

	if (ibv_init_ah_from_wc(pd->context, port, completion, header, &attributes) != 0)
		return NULL;
	return ibv_create_ah(pd, &attributes);
}

static int group(uint32_t kind, struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	struct hv_call call;

	hv_call_begin(&call, kind);
	hv_pb_put(&call.request, HV_MULTICAST_QP, hv_qp(qp)->handle);
	hv_put_gid(&call.request, HV_MULTICAST_GROUP, gid);
	hv_pb_put(&call.request, HV_MULTICAST_LID, lid);
	return hv_call_do(&call, 0);
}

int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return group(HV_CONTROL_REQUEST_ATTACH_MULTICAST, qp, gid, lid);
}

int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return group(HV_CONTROL_REQUEST_DETACH_MULTICAST, qp, gid, lid);
}
