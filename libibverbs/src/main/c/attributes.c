// What the device and its port say of themselves.
#include <stdio.h>

#include "verbs.h"

static void read_identity(struct hv_pb_in in, struct hv_device *device)
{
	struct ibv_device_attr *to = &device->attributes;
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_DEVICE_IDENTITY_SYSTEM_IMAGE_GUID: to->sys_image_guid = htobe64(field.value); break;
		case HV_DEVICE_IDENTITY_VENDOR_ID: to->vendor_id = (uint32_t)field.value; break;
		case HV_DEVICE_IDENTITY_VENDOR_PART_ID: to->vendor_part_id = (uint32_t)field.value; break;
		case HV_DEVICE_IDENTITY_HARDWARE_VERSION: to->hw_ver = (uint32_t)field.value; break;
		case HV_DEVICE_IDENTITY_BOARD_ID: hv_pb_text(&field, device->board_id, sizeof(device->board_id)); break;
		}
	}
}

static void read_objects(struct hv_pb_in in, struct ibv_device_attr *to)
{
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		int value = (int)field.value;

		switch (field.tag) {
		case HV_OBJECT_LIMITS_MAX_SRQ: to->max_srq = value; break;
		case HV_OBJECT_LIMITS_MAX_SRQ_WR: to->max_srq_wr = value; break;
		case HV_OBJECT_LIMITS_MAX_SRQ_SGE: to->max_srq_sge = value; break;
		case HV_OBJECT_LIMITS_MAX_MW: to->max_mw = value; break;
		case HV_OBJECT_LIMITS_MAX_AH: to->max_ah = value; break;
		case HV_OBJECT_LIMITS_MAX_MULTICAST_GROUPS: to->max_mcast_grp = value; break;
		case HV_OBJECT_LIMITS_MAX_MULTICAST_QP_ATTACH: to->max_mcast_qp_attach = value; break;
		}
	}
	to->max_total_mcast_qp_attach = to->max_mcast_grp * to->max_mcast_qp_attach;
}

static void read_capabilities(struct hv_pb_in in, struct hv_device *device)
{
	struct ibv_device_attr *to = &device->attributes;
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_DEVICE_CAPABILITIES_FLAGS: to->device_cap_flags = (uint32_t)field.value; break;
		case HV_DEVICE_CAPABILITIES_ATOMIC_CAP: to->atomic_cap = (enum ibv_atomic_cap)field.value; break;
		case HV_DEVICE_CAPABILITIES_PAGE_SIZES: to->page_size_cap = field.value; break;
		case HV_DEVICE_CAPABILITIES_MAX_PKEYS: to->max_pkeys = (uint16_t)field.value; break;
		case HV_DEVICE_CAPABILITIES_MAX_RESPONDER_READ_ATOMIC: to->max_res_rd_atom = (int)field.value; break;
		case HV_DEVICE_CAPABILITIES_LOCAL_ACK_DELAY: to->local_ca_ack_delay = (uint8_t)field.value; break;
		case HV_DEVICE_CAPABILITIES_COMPLETION_VECTORS:
			device->completion_vectors = (uint32_t)field.value;
			break;
		}
	}
}

static void read_device(struct hv_pb_in in, struct hv_device *device)
{
	struct ibv_device_attr *to = &device->attributes;
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		int value = (int)field.value;

		switch (field.tag) {
		case HV_DEVICE_QUERIED_FIRMWARE_VERSION: hv_pb_text(&field, to->fw_ver, sizeof(to->fw_ver)); break;
		case HV_DEVICE_QUERIED_NODE_GUID: to->node_guid = htobe64(field.value); break;
		case HV_DEVICE_QUERIED_MAX_QP: to->max_qp = value; break;
		case HV_DEVICE_QUERIED_MAX_QP_WR: to->max_qp_wr = value; break;
		case HV_DEVICE_QUERIED_MAX_SGE: to->max_sge = value; break;
		case HV_DEVICE_QUERIED_MAX_INLINE_BYTES: device->max_inline = (uint32_t)value; break;
		case HV_DEVICE_QUERIED_MAX_CQ: to->max_cq = value; break;
		case HV_DEVICE_QUERIED_MAX_CQE: to->max_cqe = value; break;
		case HV_DEVICE_QUERIED_MAX_MR: to->max_mr = value; break;
		case HV_DEVICE_QUERIED_MAX_REGION_BYTES: to->max_mr_size = field.value; break;
		case HV_DEVICE_QUERIED_MAX_PD: to->max_pd = value; break;
		case HV_DEVICE_QUERIED_MAX_READ_ATOMIC: to->max_qp_rd_atom = value; break;
		case HV_DEVICE_QUERIED_PORT_COUNT: to->phys_port_cnt = (uint8_t)value; break;
		case HV_DEVICE_QUERIED_IDENTITY: read_identity(field.bytes, device); break;
		case HV_DEVICE_QUERIED_OBJECTS: read_objects(field.bytes, to); break;
		case HV_DEVICE_QUERIED_CAPABILITIES: read_capabilities(field.bytes, device); break;
		}
	}
	to->max_sge_rd = to->max_sge;
	to->max_qp_init_rd_atom = to->max_qp_rd_atom;
}

int hv_learn_device(struct hv_device *device, uint64_t context)
{
	struct hv_call call;
	int error;

	if (device->is_known)
		return 0;
	hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_DEVICE);
	hv_pb_put(&call.request, HV_QUERY_DEVICE_CONTEXT, context);
	error = hv_call_do(&call, HV_CONTROL_REPLY_DEVICE_QUERIED);
	if (error != 0)
		return error;
	read_device(call.reply, device);
	device->is_known = true;
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes)
{
	*attributes = ((struct hv_device *)context->device)->attributes;
	return 0;
}

// Callers of another version may know fewer fields, or more.
int hv_query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		       struct ibv_device_attr_ex *attributes, size_t size)
{
	struct ibv_device_attr_ex all = {0};

	if (input != NULL && input->comp_mask != 0)
		return EINVAL;
	ibv_query_device(context, &all.orig_attr);
	all.device_cap_flags_ex = all.orig_attr.device_cap_flags;
	all.phys_port_cnt_ex = all.orig_attr.phys_port_cnt;
	all.cq_mod_caps.max_cq_count = UINT16_MAX;
	all.cq_mod_caps.max_cq_period = UINT16_MAX;
	memset(attributes, 0, size);
	memcpy(attributes, &all, size < sizeof(all) ? size : sizeof(all));
	return 0;
}

static enum ibv_mtu mtu(uint64_t bytes)
{
	enum ibv_mtu code = IBV_MTU_256;

	while (code < IBV_MTU_4096 && (uint64_t)128 << code < bytes)
		code++;
	return code;
}

static void read_link(struct hv_pb_in in, struct ibv_port_attr *to)
{
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		uint8_t value = (uint8_t)field.value;

		switch (field.tag) {
		case HV_PORT_LINK_SM_LID: to->sm_lid = (uint16_t)field.value; break;
		case HV_PORT_LINK_SM_SL: to->sm_sl = value; break;
		case HV_PORT_LINK_LMC: to->lmc = value; break;
		case HV_PORT_LINK_MAX_VL: to->max_vl_num = value; break;
		case HV_PORT_LINK_ACTIVE_WIDTH: to->active_width = value; break;
		case HV_PORT_LINK_ACTIVE_SPEED: to->active_speed = value; break;
		case HV_PORT_LINK_PHYSICAL_STATE: to->phys_state = value; break;
		case HV_PORT_LINK_SUBNET_TIMEOUT: to->subnet_timeout = value; break;
		case HV_PORT_LINK_CAPABILITY_FLAGS: to->port_cap_flags = (uint32_t)field.value; break;
		}
	}
}

static void read_port(struct hv_pb_in in, struct ibv_port_attr *to)
{
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_PORT_QUERIED_STATE: to->state = (enum ibv_port_state)field.value; break;
		case HV_PORT_QUERIED_MAX_MTU_BYTES: to->max_mtu = mtu(field.value); break;
		case HV_PORT_QUERIED_ACTIVE_MTU_BYTES: to->active_mtu = mtu(field.value); break;
		case HV_PORT_QUERIED_LID: to->lid = (uint16_t)field.value; break;
		case HV_PORT_QUERIED_GID_TABLE_LENGTH: to->gid_tbl_len = (int)field.value; break;
		case HV_PORT_QUERIED_PKEY_TABLE_LENGTH: to->pkey_tbl_len = (uint16_t)field.value; break;
		case HV_PORT_QUERIED_MAX_MESSAGE_BYTES: to->max_msg_sz = (uint32_t)field.value; break;
		case HV_PORT_QUERIED_BAD_PKEYS: to->bad_pkey_cntr = (uint32_t)field.value; break;
		case HV_PORT_QUERIED_QKEY_VIOLATIONS: to->qkey_viol_cntr = (uint32_t)field.value; break;
		case HV_PORT_QUERIED_LINK: read_link(field.bytes, to); break;
		}
	}
}

int hv_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attributes, size_t size)
{
	struct ibv_port_attr all = {.link_layer = IBV_LINK_LAYER_INFINIBAND};
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_PORT);
	hv_pb_put(&call.request, HV_QUERY_PORT_CONTEXT, hv_context(context)->handle);
	hv_pb_put(&call.request, HV_QUERY_PORT_PORT, port);
	error = hv_call_do(&call, HV_CONTROL_REPLY_PORT_QUERIED);
	if (error != 0)
		return error;
	read_port(call.reply, &all);
	memset(attributes, 0, size);
	memcpy(attributes, &all, size < sizeof(all) ? size : sizeof(all));
	return 0;
}

// Programs of before 1.5: their structure ends behind `link_layer`.
int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attributes)
{
	return hv_query_port(context, port, (struct ibv_port_attr *)attributes,
			     offsetof(struct ibv_port_attr, link_layer) + sizeof(uint8_t));
}
