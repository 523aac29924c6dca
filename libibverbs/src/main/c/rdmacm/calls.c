// Requests to the connection manager, in the words of management.proto.
#include "cm.h"

// A peer has this long to answer: some 15 retries of 4 seconds in the connection manager of Linux.
#define RESPONSE_NANOS 60000000000ull

// Join state (IBA 15.2.5.17).
#define FULL_MEMBER 1

// A management request is a message in a request's message.
struct management {
	struct hv_call call;
	size_t opened;
	struct hv_pb_in reply;
};

static void begin(struct management *management, uint32_t kind)
{
	hv_call_begin(&management->call, HV_CONTROL_REQUEST_MANAGEMENT);
	management->opened = hv_pb_open(&management->call.request, kind);
}

// `expected` is the reply's tag in ManagementReplyMessage, 0 for one without content.
static int finish(struct management *management, uint32_t expected)
{
	struct hv_pb_field field;
	int error;

	hv_pb_close(&management->call.request, management->opened);
	error = hv_call_do(&management->call, expected == 0 ? 0 : HV_CONTROL_REPLY_MANAGEMENT);
	if (error != 0 || expected == 0)
		return error;
	while (hv_pb_next(&management->call.reply, &field)) {
		if (field.tag == expected) {
			management->reply = field.bytes;
			return 0;
		}
	}
	return EPROTO;
}

static uint64_t read_number(struct hv_pb_in in, uint32_t tag)
{
	uint64_t value;

	hv_read_numbers(in, &tag, &value, 1);
	return value;
}

static void read_gid(struct hv_pb_in in, union ibv_gid *gid)
{
	gid->global.subnet_prefix = htobe64(read_number(in, HV_GID_PREFIX));
	gid->global.interface_id = htobe64(read_number(in, HV_GID_INTERFACE_ID));
}

static void read_path(struct hv_pb_in in, struct hv_cm_path *path)
{
	struct hv_pb_field field;

	*path = (struct hv_cm_path){0};
	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_PATH_SOURCE: read_gid(field.bytes, &path->source); break;
		case HV_PATH_DESTINATION: read_gid(field.bytes, &path->destination); break;
		case HV_PATH_SOURCE_LID: path->source_lid = (uint16_t)field.value; break;
		case HV_PATH_DESTINATION_LID: path->destination_lid = (uint16_t)field.value; break;
		case HV_PATH_PKEY: path->pkey = (uint16_t)field.value; break;
		case HV_PATH_SERVICE_LEVEL: path->service_level = (uint8_t)field.value; break;
		case HV_PATH_MTU_BYTES: path->mtu_bytes = (uint32_t)field.value; break;
		case HV_PATH_PACKET_LIFE_TIME: path->packet_life_time = (uint8_t)field.value; break;
		case HV_PATH_REVERSIBLE: path->reversible = field.value != 0; break;
		}
	}
}

static void read_offer(struct hv_pb_in in, struct hv_cm_offer *offer)
{
	struct hv_pb_field field;

	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_OFFER_TYPE: offer->type = (uint32_t)field.value; break;
		case HV_OFFER_QPN: offer->qpn = (uint32_t)field.value; break;
		case HV_OFFER_PSN: offer->psn = (uint32_t)field.value; break;
		case HV_OFFER_RESPONDER_RESOURCES: offer->responder_resources = (uint8_t)field.value; break;
		case HV_OFFER_INITIATOR_DEPTH: offer->initiator_depth = (uint8_t)field.value; break;
		case HV_OFFER_RETRY_COUNT: offer->retry_count = (uint8_t)field.value; break;
		case HV_OFFER_RNR_RETRY_COUNT: offer->rnr_retry_count = (uint8_t)field.value; break;
		case HV_OFFER_ACK_TIMEOUT: offer->ack_timeout = (uint8_t)field.value; break;
		case HV_OFFER_QKEY: offer->qkey = (uint32_t)field.value; break;
		}
	}
}

static void put_offer(struct hv_pb_out *out, uint32_t tag, const struct hv_cm_offer *offer)
{
	size_t opened = hv_pb_open(out, tag);

	hv_pb_put(out, HV_OFFER_TYPE, offer->type);
	hv_pb_put(out, HV_OFFER_QPN, offer->qpn);
	hv_pb_put(out, HV_OFFER_PSN, offer->psn);
	hv_pb_put(out, HV_OFFER_RESPONDER_RESOURCES, offer->responder_resources);
	hv_pb_put(out, HV_OFFER_INITIATOR_DEPTH, offer->initiator_depth);
	hv_pb_put(out, HV_OFFER_RETRY_COUNT, offer->retry_count);
	hv_pb_put(out, HV_OFFER_RNR_RETRY_COUNT, offer->rnr_retry_count);
	hv_pb_put(out, HV_OFFER_ACK_TIMEOUT, offer->ack_timeout);
	hv_pb_put(out, HV_OFFER_QKEY, offer->qkey);
	hv_pb_close(out, opened);
}

int hv_cm_create_channel(uint64_t context, uint64_t *channel, int *bell)
{
	struct management management;
	int error;

	begin(&management, HV_MANAGEMENT_REQUEST_CREATE_CHANNEL);
	hv_pb_put(&management.call.request, HV_CREATE_CM_CHANNEL_CONTEXT, context);
	error = finish(&management, HV_MANAGEMENT_REPLY_OPENED);
	if (error != 0)
		return error;
	*channel = read_number(management.reply, HV_RELEASE_HANDLE);
	*bell = management.call.descriptors[0];
	return *bell < 0 ? EPROTO : 0;
}

int hv_cm_listen(uint64_t channel, uint64_t service_id, int backlog, uint64_t *listener)
{
	struct management management;
	int error;

	begin(&management, HV_MANAGEMENT_REQUEST_LISTEN);
	hv_pb_put(&management.call.request, HV_LISTEN_CHANNEL, channel);
	hv_pb_put(&management.call.request, HV_LISTEN_SERVICE_ID, service_id);
	hv_pb_put(&management.call.request, HV_LISTEN_BACKLOG, (uint64_t)backlog);
	error = finish(&management, HV_MANAGEMENT_REPLY_OPENED);
	if (error == 0)
		*listener = read_number(management.reply, HV_RELEASE_HANDLE);
	return error == EBUSY ? EADDRINUSE : error;
}

int hv_cm_resolve(uint64_t channel, const char *guest, uint64_t *connection, struct hv_cm_path *path)
{
	struct management management;
	struct hv_pb_field field;
	size_t opened;
	int error;

	begin(&management, HV_MANAGEMENT_REQUEST_RESOLVE);
	hv_pb_put(&management.call.request, HV_RESOLVE_CHANNEL, channel);
	opened = hv_pb_open(&management.call.request, HV_RESOLVE_TO);
	hv_pb_put_bytes(&management.call.request, HV_DESTINATION_GUEST, guest, strlen(guest));
	hv_pb_close(&management.call.request, opened);
	error = finish(&management, HV_MANAGEMENT_REPLY_RESOLVED);
	if (error != 0)
		return error;
	while (hv_pb_next(&management.reply, &field)) {
		if (field.tag == HV_RESOLVED_CONNECTION)
			*connection = field.value;
		else if (field.tag == HV_RESOLVED_PATH)
			read_path(field.bytes, path);
	}
	return 0;
}

int hv_cm_connect(const struct hv_cm_id *id, const void *data, size_t length)
{
	struct management management;
	struct hv_pb_out *out = &management.call.request;

	begin(&management, HV_MANAGEMENT_REQUEST_CONNECT);
	hv_pb_put(out, HV_CONNECT_CONNECTION, id->connection);
	hv_pb_put(out, HV_CONNECT_SERVICE_ID, id->service_id);
	put_offer(out, HV_CONNECT_OFFER, &id->own);
	hv_pb_put(out, HV_CONNECT_RESPONSE_NANOS, RESPONSE_NANOS);
	hv_pb_put_bytes(out, HV_CONNECT_PRIVATE_DATA, data, length);
	return finish(&management, 0);
}

int hv_cm_accept(const struct hv_cm_id *id, const void *data, size_t length)
{
	struct management management;
	struct hv_pb_out *out = &management.call.request;

	begin(&management, HV_MANAGEMENT_REQUEST_ACCEPT);
	hv_pb_put(out, HV_ACCEPT_CONNECTION, id->connection);
	put_offer(out, HV_ACCEPT_OFFER, &id->own);
	hv_pb_put(out, HV_ACCEPT_RESPONSE_NANOS, RESPONSE_NANOS);
	hv_pb_put_bytes(out, HV_ACCEPT_PRIVATE_DATA, data, length);
	return finish(&management, 0);
}

int hv_cm_answer_with(uint64_t connection, uint32_t kind, const void *data, size_t length)
{
	struct management management;

	begin(&management, HV_MANAGEMENT_REQUEST_ANSWER);
	hv_pb_put(&management.call.request, HV_ANSWER_CONNECTION, connection);
	hv_pb_put(&management.call.request, HV_ANSWER_KIND, kind);
	hv_pb_put_bytes(&management.call.request, HV_ANSWER_PRIVATE_DATA, data, length);
	return finish(&management, 0);
}

// As a full member, who creates the group if it is not there.
int hv_cm_join(uint64_t context, const union ibv_gid *gid, uint32_t qkey, uint64_t *membership, uint16_t *lid)
{
	struct management management;
	struct hv_pb_out *out = &management.call.request;
	struct hv_pb_field field;
	size_t opened;
	int error;

	begin(&management, HV_MANAGEMENT_REQUEST_JOIN_GROUP);
	hv_pb_put(out, HV_JOIN_GROUP_CONTEXT, context);
	opened = hv_pb_open(out, HV_JOIN_GROUP_GROUP);
	hv_pb_put(out, HV_GID_PREFIX, be64toh(gid->global.subnet_prefix));
	hv_pb_put(out, HV_GID_INTERFACE_ID, be64toh(gid->global.interface_id));
	hv_pb_close(out, opened);
	hv_pb_put(out, HV_JOIN_GROUP_JOIN_STATE, FULL_MEMBER);
	hv_pb_put(out, HV_JOIN_GROUP_QKEY, qkey);
	error = finish(&management, HV_MANAGEMENT_REPLY_JOINED);
	if (error != 0)
		return error;
	while (hv_pb_next(&management.reply, &field)) {
		if (field.tag == HV_JOINED_HANDLE)
			*membership = field.value;
		else if (field.tag == HV_JOINED_RECORD)
			*lid = (uint16_t)read_number(field.bytes, HV_MEMBER_MLID);
	}
	return 0;
}

int hv_cm_release(uint64_t handle)
{
	struct management management;

	begin(&management, HV_MANAGEMENT_REQUEST_RELEASE);
	hv_pb_put(&management.call.request, HV_RELEASE_HANDLE, handle);
	return finish(&management, 0);
}

static void read_notice(struct hv_pb_in in, struct hv_cm_notice *notice)
{
	struct hv_pb_field field;

	*notice = (struct hv_cm_notice){0};
	while (hv_pb_next(&in, &field)) {
		switch (field.tag) {
		case HV_NOTICE_TYPE: notice->type = (enum rdma_cm_event_type)field.value; break;
		case HV_NOTICE_CONNECTION: notice->connection = field.value; break;
		case HV_NOTICE_SERVICE_ID: notice->service_id = field.value; break;
		case HV_NOTICE_STATUS: notice->status = (uint32_t)field.value; break;
		case HV_NOTICE_REJECT: notice->reject = (uint32_t)field.value; break;
		case HV_NOTICE_OFFER: read_offer(field.bytes, &notice->offer); break;
		case HV_NOTICE_PRIVATE_DATA: notice->data = field.bytes; break;
		case HV_NOTICE_PATH: read_path(field.bytes, &notice->path); break;
		}
	}
}

int hv_cm_take(uint64_t channel, void (*each)(const struct hv_cm_notice *notice), bool *more)
{
	struct management management;
	struct hv_cm_notice notice;
	struct hv_pb_field field;
	int error;

	*more = false;
	begin(&management, HV_MANAGEMENT_REQUEST_TAKE_EVENTS);
	hv_pb_put(&management.call.request, HV_TAKE_EVENTS_CHANNEL, channel);
	error = finish(&management, HV_MANAGEMENT_REPLY_NOTICES);
	if (error != 0)
		return error;
	while (hv_pb_next(&management.reply, &field)) {
		if (field.tag == HV_NOTICES_MORE) {
			*more = field.value != 0;
		} else if (field.tag == HV_NOTICES_NOTICES) {
			read_notice(field.bytes, &notice);
			each(&notice);
		}
	}
	return 0;
}
