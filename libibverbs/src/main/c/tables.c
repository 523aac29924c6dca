// GID and P_Key table of a port.
#include "verbs.h"

static int query_gid(struct ibv_context *context, uint32_t port, uint32_t index, union ibv_gid *gid)
{
	static const uint32_t tags[] = {HV_GID_QUERIED_PREFIX, HV_GID_QUERIED_INTERFACE_ID};
	uint64_t values[2];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_GID);
	hv_pb_put(&call.request, HV_QUERY_GID_CONTEXT, hv_context(context)->handle);
	hv_pb_put(&call.request, HV_QUERY_GID_PORT, port);
	hv_pb_put(&call.request, HV_QUERY_GID_INDEX, index);
	error = hv_call_do(&call, HV_CONTROL_REPLY_GID_QUERIED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 2);
	gid->global.subnet_prefix = htobe64(values[0]);
	gid->global.interface_id = htobe64(values[1]);
	return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
	int error = index < 0 ? EINVAL : query_gid(context, port, (uint32_t)index, gid);

	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

static bool is_set(const union ibv_gid *gid)
{
	return (gid->global.subnet_prefix | gid->global.interface_id) != 0;
}

// ENODATA for an entry that is not set.
static int query_entry(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry)
{
	union ibv_gid gid;
	int error = query_gid(context, port, index, &gid);

	if (error != 0)
		return error;
	if (!is_set(&gid))
		return ENODATA;
	*entry = (struct ibv_gid_entry){
		.gid = gid, .gid_index = index, .port_num = port, .gid_type = IBV_GID_TYPE_IB};
	return 0;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t size)
{
	struct ibv_gid_entry found;
	int error;

	if (flags != 0 || size < sizeof(found))
		return EOPNOTSUPP;
	error = query_entry(context, port, index, &found);
	if (error == 0)
		*entry = found;
	return error;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t room, uint32_t flags,
			     size_t size)
{
	struct ibv_device_attr device;
	size_t found = 0;

	if (flags != 0 || size != sizeof(*entries))
		return -EOPNOTSUPP;
	ibv_query_device(context, &device);
	for (uint32_t port = 1; port <= device.phys_port_cnt; port++) {
		struct ibv_port_attr attributes;
		int error = hv_query_port(context, (uint8_t)port, &attributes, sizeof(attributes));

		for (uint32_t i = 0; error == 0 && i < (uint32_t)attributes.gid_tbl_len; i++) {
			struct ibv_gid_entry entry;

			error = query_entry(context, port, i, &entry);
			if (error == ENODATA) {
				error = 0;
			} else if (error == 0) {
				if (found == room)
					return -EINVAL;
				entries[found++] = entry;
			}
		}
		if (error != 0)
			return -error;
	}
	return (ssize_t)found;
}

// Exported for the tools of rdma-core alone. Types are numbered as the kernel does: 0 is that of InfiniBand.
HV_EXPORT int ibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned int index, unsigned int *type);

int ibv_query_gid_type(struct ibv_context *context, uint8_t port, unsigned int index, unsigned int *type)
{
	union ibv_gid gid;
	int error = query_gid(context, port, index, &gid);

	if (error != 0) {
		errno = error;
		return -1;
	}
	*type = 0;
	return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey)
{
	static const uint32_t tags[] = {HV_PKEY_QUERIED_PKEY};
	struct hv_call call;
	uint64_t value;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_QUERY_PKEY);
	hv_pb_put(&call.request, HV_QUERY_PKEY_CONTEXT, hv_context(context)->handle);
	hv_pb_put(&call.request, HV_QUERY_PKEY_PORT, port);
	hv_pb_put(&call.request, HV_QUERY_PKEY_INDEX, (uint64_t)(int64_t)index);
	error = hv_call_do(&call, HV_CONTROL_REPLY_PKEY_QUERIED);
	if (error != 0) {
		errno = error;
		return -1;
	}
	hv_read_numbers(call.reply, tags, &value, 1);
	*pkey = htobe16((uint16_t)value);
	return 0;
}

int ibv_get_pkey_index(struct ibv_context *context, uint8_t port, __be16 pkey)
{
	struct ibv_port_attr attributes;
	int error = hv_query_port(context, port, &attributes, sizeof(attributes));

	if (error != 0) {
		errno = error;
		return -1;
	}
	for (int i = 0; i < attributes.pkey_tbl_len; i++) {
		__be16 found;

		if (ibv_query_pkey(context, port, i, &found) != 0)
			return -1;
		if (found == pkey)
			return i;
	}
	errno = ENOENT;
	return -1;
}
