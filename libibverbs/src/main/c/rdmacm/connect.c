// Calls, answers to them, and the ends of connections.
#include "cm.h"

// Bytes that messages have room for, besides the addresses in a call.
#define REQ_BYTES (92 - HV_CM_HEADER_BYTES)
#define REP_BYTES 196
#define REJ_BYTES 148
#define SIDR_REQ_BYTES (216 - HV_CM_HEADER_BYTES)
#define SIDR_REP_BYTES 136

#define MOST_RETRIES 7
#define MIN_ACK_TIMEOUT 14

// The program's number, but no more than the HCA does; `all` stands for that.
static uint8_t limited(uint8_t wanted, uint8_t all, int most)
{
	return wanted == all || wanted > most ? (uint8_t)most : wanted;
}

static uint8_t retries(uint8_t wanted)
{
	return wanted > MOST_RETRIES ? MOST_RETRIES : wanted;
}

static int describe_queue_pair(struct hv_cm_id *id, const struct rdma_conn_param *parameters)
{
	enum ibv_qp_type type = id->id.qp != NULL ? id->id.qp->qp_type : id->id.qp_type;

	if (hv_cm_is_datagram(id) != (type == IBV_QPT_UD))
		return EINVAL;
	if (type == IBV_QPT_UD) {
		id->own = (struct hv_cm_offer){.type = HV_QP_TYPE_UD};
		// A SIDR_REQ describes no queue pair.
		if (!id->is_called)
			return 0;
	} else if (type != IBV_QPT_RC && type != IBV_QPT_UC) {
		return EOPNOTSUPP;
	}
	if (id->id.qp == NULL && parameters == NULL)
		return EINVAL;
	if (type == IBV_QPT_UD)
		id->own.qkey = RDMA_UDP_QKEY;
	else
		id->own.type = type == IBV_QPT_RC ? HV_QP_TYPE_RC : HV_QP_TYPE_UC;
	id->own.qpn = id->id.qp != NULL ? id->id.qp->qp_num : parameters->qp_num;
	return 0;
}

static uint8_t ack_timeout(const struct hv_cm_id *id)
{
	uint8_t timeout = (uint8_t)(id->path.packet_life_time + 1);

	if (id->ack_timeout != 0)
		timeout = id->ack_timeout;
	else if (timeout < MIN_ACK_TIMEOUT)
		timeout = MIN_ACK_TIMEOUT;
	return timeout > HV_CM_MAX_ACK_TIMEOUT ? HV_CM_MAX_ACK_TIMEOUT : timeout;
}

// Without parameters: as much as the HCA does, of a called side as much as was asked of it.
static int offer(struct hv_cm_id *id, const struct rdma_conn_param *parameters)
{
	int answers = hv_cm.attributes.max_qp_rd_atom;
	int asks = hv_cm.attributes.max_qp_init_rd_atom;
	int error = describe_queue_pair(id, parameters);

	if (error != 0 || hv_cm_is_datagram(id))
		return error;
	if (id->is_called) {
		answers = limited(id->peer.initiator_depth, RDMA_MAX_INIT_DEPTH, answers);
		asks = limited(id->peer.responder_resources, RDMA_MAX_RESP_RES, asks);
	}
	id->own.responder_resources = limited(parameters == NULL ? RDMA_MAX_RESP_RES : parameters->responder_resources,
					      RDMA_MAX_RESP_RES, answers);
	id->own.initiator_depth = limited(parameters == NULL ? RDMA_MAX_INIT_DEPTH : parameters->initiator_depth,
					  RDMA_MAX_INIT_DEPTH, asks);
	id->own.retry_count = parameters == NULL ? MOST_RETRIES : retries(parameters->retry_count);
	id->own.rnr_retry_count = parameters == NULL ? MOST_RETRIES : retries(parameters->rnr_retry_count);
	id->own.ack_timeout = ack_timeout(id);
	return 0;
}

// More than the HCA does is refused where a program calls.
static bool asks_too_much(const struct rdma_conn_param *parameters)
{
	return (parameters->responder_resources != RDMA_MAX_RESP_RES
		&& parameters->responder_resources > hv_cm.attributes.max_qp_rd_atom)
	       || (parameters->initiator_depth != RDMA_MAX_INIT_DEPTH
		   && parameters->initiator_depth > hv_cm.attributes.max_qp_init_rd_atom);
}

static int call(struct hv_cm_id *id, const struct rdma_conn_param *parameters)
{
	uint8_t data[HV_CM_HEADER_BYTES + SIDR_REQ_BYTES];
	const void *own = parameters != NULL ? parameters->private_data : id->connect_data;
	size_t length = parameters != NULL ? parameters->private_data_len : id->connect_data_length;
	size_t room = hv_cm_is_datagram(id) ? SIDR_REQ_BYTES : REQ_BYTES;
	int error;

	if (own == NULL)
		length = 0;
	if (id->connection == 0 || id->is_called || length > room)
		return EINVAL;
	if (parameters != NULL && !hv_cm_is_datagram(id) && asks_too_much(parameters))
		return EINVAL;
	error = offer(id, parameters);
	if (error != 0)
		return error;
	hv_cm_write_header(id, data);
	if (length > 0)
		memcpy(data + HV_CM_HEADER_BYTES, own, length);
	return hv_cm_connect(id, data, HV_CM_HEADER_BYTES + length);
}

int rdma_connect(struct rdma_cm_id *rdma, struct rdma_conn_param *parameters)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	int error = call(id, parameters);

	return hv_cm_answer(error != 0 ? error : hv_cm_complete(id));
}

static int accept_call(struct hv_cm_id *id, const struct rdma_conn_param *parameters)
{
	const void *data = parameters == NULL ? NULL : parameters->private_data;
	size_t length = data == NULL ? 0 : parameters->private_data_len;
	bool is_datagram = hv_cm_is_datagram(id);
	int error;

	if (id->connection == 0 || !id->is_called || length > (is_datagram ? SIDR_REP_BYTES : REP_BYTES))
		return EINVAL;
	error = offer(id, parameters);
	if (error == 0 && id->id.qp != NULL && !is_datagram)
		error = hv_cm_to_rts(id);
	if (error == 0)
		error = hv_cm_accept(id, data, length);
	if (error != 0)
		hv_cm_to_error(id);
	return error;
}

int rdma_accept(struct rdma_cm_id *rdma, struct rdma_conn_param *parameters)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	int error = accept_call(id, parameters);

	// No event follows a SIDR_REP.
	if (error == 0 && hv_cm_is_datagram(id))
		return 0;
	return hv_cm_answer(error != 0 ? error : hv_cm_complete(id));
}

int rdma_reject(struct rdma_cm_id *rdma, const void *data, uint8_t length)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	size_t room = hv_cm_is_datagram(id) ? SIDR_REP_BYTES : REJ_BYTES;

	if (id->connection == 0 || (data != NULL && length > room))
		return hv_cm_answer(EINVAL);
	return hv_cm_answer(hv_cm_answer_with(id->connection, HV_MANAGEMENT_REQUEST_ANSWER_KIND_REJ, data,
					      data == NULL ? 0 : length));
}

// For programs that move the queue pair themselves.
int rdma_establish(struct rdma_cm_id *rdma)
{
	struct hv_cm_id *id = hv_cm_id(rdma);

	if (id->connection == 0 || rdma->qp != NULL)
		return hv_cm_answer(EINVAL);
	return hv_cm_answer(hv_cm_answer_with(id->connection, HV_MANAGEMENT_REQUEST_ANSWER_KIND_RTU, NULL, 0));
}

int rdma_disconnect(struct rdma_cm_id *rdma)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	int error;

	if (id->connection == 0)
		return hv_cm_answer(EINVAL);
	hv_cm_to_error(id);
	error = hv_cm_answer_with(id->connection, HV_MANAGEMENT_REQUEST_ANSWER_KIND_DISCONNECT, NULL, 0);
	return hv_cm_answer(error != 0 ? error : hv_cm_complete(id));
}

// The message that a packet was faster than always comes.
int rdma_notify(struct rdma_cm_id *rdma, enum ibv_event_type event)
{
	return hv_cm_answer(hv_cm_id(rdma)->connection != 0 && event == IBV_EVENT_COMM_EST ? 0 : EINVAL);
}
