// ibv_post_send, ibv_post_recv, ibv_post_srq_recv.
#include "wqe.h"

_Static_assert((int)HV_SEND_WQE_OPCODE_SEND == IBV_WR_SEND && (int)HV_SEND_WQE_OPCODE_RDMA_WRITE == IBV_WR_RDMA_WRITE
		       && (int)HV_SEND_WQE_OPCODE_RDMA_READ == IBV_WR_RDMA_READ
		       && (int)HV_SEND_WQE_OPCODE_COMPARE_AND_SWAP == IBV_WR_ATOMIC_CMP_AND_SWP
		       && (int)HV_SEND_WQE_OPCODE_LOCAL_INV == IBV_WR_LOCAL_INV
		       && (int)HV_SEND_WQE_OPCODE_BIND_MW == IBV_WR_BIND_MW
		       && (int)HV_SEND_WQE_OPCODE_SEND_WITH_INV == IBV_WR_SEND_WITH_INV
		       && (int)HV_SEND_WQE_KNOWN_FLAGS == (HV_CALLERS_FLAGS | IBV_SEND_INLINE),
	       "codes are those of verbs.h");

static int fill_payload(const struct hv_qp *qp, uint8_t *wqe, const struct ibv_send_wr *request)
{
	size_t total = 0;
	int error = 0;

	if (request->num_sge < 0)
		return EINVAL;
	if ((request->send_flags & IBV_SEND_INLINE) == 0)
		return hv_wqe_segments(qp, wqe, request->sg_list, (size_t)request->num_sge);
	if (!hv_takes_inline(request->opcode))
		return EINVAL;
	// Also of no bytes: the flag is the HCA's to see.
	error = hv_wqe_inline(qp, wqe, NULL, 0, &total);
	for (int i = 0; error == 0 && i < request->num_sge; i++) {
		const struct ibv_sge *segment = &request->sg_list[i];

		error = hv_wqe_inline(qp, wqe, (const void *)(uintptr_t)segment->addr, segment->length, &total);
	}
	return error;
}

static void fill_operation(uint8_t *wqe, const struct ibv_send_wr *request)
{
	switch (request->opcode) {
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_READ:
		hv_wqe_remote(wqe, request->wr.rdma.remote_addr, request->wr.rdma.rkey);
		break;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		hv_wqe_remote(wqe, request->wr.rdma.remote_addr, request->wr.rdma.rkey);
		hv_wqe_immediate(wqe, request->imm_data);
		break;
	case IBV_WR_SEND_WITH_IMM:
		hv_wqe_immediate(wqe, request->imm_data);
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		hv_wqe_remote(wqe, request->wr.atomic.remote_addr, request->wr.atomic.rkey);
		hv_wqe_atomic(wqe, request->wr.atomic.compare_add,
			      request->opcode == IBV_WR_ATOMIC_CMP_AND_SWP ? request->wr.atomic.swap : 0);
		break;
	case IBV_WR_SEND_WITH_INV:
	case IBV_WR_LOCAL_INV:
		hv_wqe_invalidated(wqe, request->invalidate_rkey);
		break;
	case IBV_WR_BIND_MW:
		hv_wqe_bind(wqe, request->bind_mw.rkey, &request->bind_mw.bind_info);
		break;
	default:
		break;
	}
}

static int fill_send(struct hv_qp *qp, uint8_t *wqe, const struct ibv_send_wr *request)
{
	enum ibv_qp_type type = qp->qp.qp_base.qp_type;
	bool is_local = request->opcode == IBV_WR_BIND_MW || request->opcode == IBV_WR_LOCAL_INV;

	if (!hv_has_opcode(type, request->opcode)
	    || (request->send_flags & ~(unsigned int)HV_SEND_WQE_KNOWN_FLAGS) != 0)
		return EINVAL;
	hv_wqe_head(wqe, request->wr_id, request->opcode, request->send_flags);
	fill_operation(wqe, request);
	if (type == IBV_QPT_UD) {
		if (request->wr.ud.ah == NULL)
			return EINVAL;
		hv_wqe_destination(wqe, request->wr.ud.ah, request->wr.ud.remote_qpn, request->wr.ud.remote_qkey);
	}
	if (type == IBV_QPT_XRC_SEND && !is_local)
		hv_wqe_srqn(wqe, request->qp_type.xrc.remote_srqn);
	return is_local ? 0 : fill_payload(qp, wqe, request);
}

// The requests before the one that fails are posted.
int hv_post_send(struct ibv_qp *ibv, struct ibv_send_wr *request, struct ibv_send_wr **bad)
{
	struct hv_qp *qp = hv_qp(ibv);
	uint32_t filled = 0;
	uint32_t free;
	int error;

	hv_lock(&qp->sends.posting);
	error = hv_allows_sends(qp) ? 0 : EINVAL;
	free = hv_queue_free(&qp->sends);
	for (; error == 0 && request != NULL; request = error == 0 ? request->next : request) {
		error = filled == free ? ENOMEM
				       : fill_send(qp, hv_queue_slot(qp, &qp->sends, filled), request);
		filled += error == 0;
	}
	if (filled > 0)
		hv_publish_sends(qp, filled);
	hv_unlock(&qp->sends.posting);
	if (error != 0)
		*bad = request;
	return error;
}

static int fill_receive(uint8_t *wqe, const struct ibv_recv_wr *request, uint32_t max_sge)
{
	if (request->num_sge < 0 || (uint32_t)request->num_sge > max_sge)
		return EINVAL;
	for (int i = 0; i < request->num_sge; i++) {
		if (request->sg_list[i].length > INT32_MAX)
			return EINVAL;
	}
	hv_set64(wqe + HV_RECEIVE_WQE_WR_ID_OFFSET, request->wr_id);
	hv_set64(wqe + HV_RECEIVE_WQE_SEGMENT_COUNT_OFFSET, (uint64_t)request->num_sge);
	if (request->num_sge > 0)
		memcpy(wqe + HV_RECEIVE_WQE_SGES_OFFSET, request->sg_list,
		       (size_t)request->num_sge * sizeof(*request->sg_list));
	return 0;
}

int hv_post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *request, struct ibv_recv_wr **bad)
{
	struct hv_qp *qp = hv_qp(ibv);
	uint32_t filled = 0;
	uint32_t free;
	int error;

	hv_lock(&qp->receives.posting);
	error = qp->has_receives && hv_allows_receives(qp) ? 0 : EINVAL;
	free = hv_queue_free(&qp->receives);
	for (; error == 0 && request != NULL; request = error == 0 ? request->next : request) {
		error = filled == free
				? ENOMEM
				: fill_receive(hv_queue_slot(qp, &qp->receives, filled), request, qp->receives.max_sge);
		filled += error == 0;
	}
	if (filled > 0) {
		hv_publish_receives(qp, filled);
		// No message comes any more that would make the HCA look.
		if (atomic_load_explicit(&qp->state, memory_order_relaxed) == IBV_QPS_ERR)
			hv_ring_doorbell(hv_context(ibv->context), qp->slot);
	}
	hv_unlock(&qp->receives.posting);
	if (error != 0)
		*bad = request;
	return error;
}

int hv_post_srq_recv(struct ibv_srq *ibv, struct ibv_recv_wr *request, struct ibv_recv_wr **bad)
{
	struct hv_srq *srq = hv_srq(ibv);
	uint32_t filled = 0;
	uint8_t *entries;
	uint32_t free;
	int error = 0;

	hv_lock(&srq->posting);
	entries = srq->ring.memory + HV_SRQ_RING_ENTRIES_OFFSET;
	// The HCA says which slots are free again, in whatever order receives complete.
	free = srq->entries - (srq->producer - hv_acquire32(srq->ring.memory + HV_SRQ_RING_HEAD_INDEX_OFFSET));
	for (; error == 0 && request != NULL; request = error == 0 ? request->next : request) {
		size_t slot = (srq->producer + filled) & (srq->entries - 1);

		error = filled == free ? ENOMEM : fill_receive(entries + slot * srq->stride, request, srq->max_sge);
		filled += error == 0;
	}
	if (filled > 0) {
		srq->producer += filled;
		hv_release32(srq->ring.memory + HV_SRQ_RING_PRODUCER_INDEX_OFFSET, srq->producer);
	}
	hv_unlock(&srq->posting);
	if (error != 0)
		*bad = request;
	return error;
}
