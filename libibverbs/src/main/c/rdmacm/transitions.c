// A queue pair on its way into a connection: of what one side offers and the other wants, the smaller.
#include "cm.h"

// 0.64 ms until a send is tried again for which the peer had no receive.
#define RNR_TIMER 12

static uint8_t smaller(uint8_t one, uint8_t other)
{
	return one < other ? one : other;
}

static bool is_reliable(const struct hv_cm_id *id)
{
	return id->own.type == HV_QP_TYPE_RC;
}

enum ibv_mtu hv_cm_mtu(uint32_t bytes)
{
	enum ibv_mtu mtu = IBV_MTU_256;

	while (mtu < IBV_MTU_4096 && (128u << mtu) < bytes)
		mtu++;
	return mtu;
}

static void to_init(const struct hv_cm_id *id, struct ibv_qp_attr *attributes, int *mask)
{
	attributes->port_num = 1;
	attributes->pkey_index = 0;
	attributes->qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
	if (is_reliable(id) && id->own.responder_resources > 0)
		attributes->qp_access_flags |= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
	*mask = IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS;
}

struct ibv_ah_attr hv_cm_address(const struct hv_cm_path *path)
{
	struct ibv_ah_attr address = {.dlid = path->destination_lid, .sl = path->service_level, .port_num = 1};

	if (IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)&path->destination)) {
		// Another HCA, which a LID of this topology may not lead to.
		address.is_global = 1;
		address.grh.dgid = path->destination;
		address.grh.hop_limit = 64;
	}
	return address;
}

static void to_rtr(const struct hv_cm_id *id, struct ibv_qp_attr *attributes, int *mask)
{
	attributes->ah_attr = hv_cm_address(&id->path);
	attributes->path_mtu = hv_cm_mtu(id->path.mtu_bytes);
	attributes->dest_qp_num = id->peer.qpn;
	attributes->rq_psn = id->peer.psn;
	*mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	if (is_reliable(id)) {
		attributes->max_dest_rd_atomic = smaller(id->own.responder_resources, id->peer.initiator_depth);
		attributes->min_rnr_timer = RNR_TIMER;
		*mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	}
}

static void to_rts(const struct hv_cm_id *id, struct ibv_qp_attr *attributes, int *mask)
{
	attributes->sq_psn = id->own.psn;
	*mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
	if (is_reliable(id)) {
		attributes->max_rd_atomic = smaller(id->own.initiator_depth, id->peer.responder_resources);
		attributes->timeout = id->is_called ? id->peer.ack_timeout : id->own.ack_timeout;
		attributes->retry_cnt = id->is_called ? id->peer.retry_count : id->own.retry_count;
		attributes->rnr_retry = id->peer.rnr_retry_count;
		*mask |= IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY;
	}
}

// Whoever knows its Q_Key may send to it: there is no peer to wait for.
static int datagram_attributes(struct ibv_qp_attr *attributes, int *mask)
{
	*mask = IBV_QP_STATE;
	switch (attributes->qp_state) {
	case IBV_QPS_INIT:
		attributes->port_num = 1;
		attributes->pkey_index = 0;
		attributes->qkey = RDMA_UDP_QKEY;
		*mask |= IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_QKEY;
		return 0;
	case IBV_QPS_RTR: return 0;
	case IBV_QPS_RTS:
		attributes->sq_psn = 0;
		*mask |= IBV_QP_SQ_PSN;
		return 0;
	default: return EINVAL;
	}
}

static int attributes_of(const struct hv_cm_id *id, struct ibv_qp_attr *attributes, int *mask)
{
	if (hv_cm_is_datagram(id))
		return datagram_attributes(attributes, mask);
	if (attributes->qp_state == IBV_QPS_INIT)
		to_init(id, attributes, mask);
	else if (attributes->qp_state == IBV_QPS_RTR && id->has_peer)
		to_rtr(id, attributes, mask);
	else if (attributes->qp_state == IBV_QPS_RTS && id->has_peer)
		to_rts(id, attributes, mask);
	else
		return EINVAL;
	return 0;
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attributes, int *mask)
{
	if (id->verbs == NULL)
		return hv_cm_answer(EINVAL);
	return hv_cm_answer(attributes_of(hv_cm_id(id), attributes, mask));
}

static int move_to(struct hv_cm_id *id, enum ibv_qp_state state)
{
	struct ibv_qp_attr attributes = {.qp_state = state};
	int mask;
	int error = attributes_of(id, &attributes, &mask);

	return error != 0 ? error : ibv_modify_qp(id->id.qp, &attributes, mask);
}

int hv_cm_to_init(struct hv_cm_id *id)
{
	return move_to(id, IBV_QPS_INIT);
}

int hv_cm_datagrams_to_rts(struct hv_cm_id *id)
{
	int error = move_to(id, IBV_QPS_INIT);

	if (error == 0)
		error = move_to(id, IBV_QPS_RTR);
	return error != 0 ? error : move_to(id, IBV_QPS_RTS);
}

// INIT again first: what the peer may read was not known when the queue pair was made.
int hv_cm_to_rts(struct hv_cm_id *id)
{
	int error = move_to(id, IBV_QPS_INIT);

	if (error == 0)
		error = move_to(id, IBV_QPS_RTR);
	return error != 0 ? error : move_to(id, IBV_QPS_RTS);
}

void hv_cm_to_error(struct hv_cm_id *id)
{
	struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_ERR};

	// It may be gone from the states that lead there, or be another's by now.
	if (id->id.qp != NULL)
		ibv_modify_qp(id->id.qp, &attributes, IBV_QP_STATE);
}
