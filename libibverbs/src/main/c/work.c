// The ibv_wr_* calls: a batch of requests between wr_start and wr_complete, posted whole or not at all. The lock of the
// send queue is held meanwhile.
#include "wqe.h"

static struct hv_qp *of(struct ibv_qp_ex *ibv)
{
	return (struct hv_qp *)ibv;
}

// Remembers the first mistake; what is built after it goes nowhere.
static void fail(struct hv_qp *qp, int error)
{
	if (qp->batch_error == 0)
		qp->batch_error = error;
	qp->wqe = NULL;
}

static uint8_t *begin(struct ibv_qp_ex *ibv, enum ibv_wr_opcode opcode)
{
	struct hv_qp *qp = of(ibv);

	if (qp->batch_error != 0)
		return NULL;
	if (!hv_has_opcode(ibv->qp_base.qp_type, opcode)
	    || (ibv->wr_flags & ~(unsigned int)HV_SEND_WQE_KNOWN_FLAGS) != 0) {
		fail(qp, EINVAL);
		return NULL;
	}
	if (qp->batch == hv_queue_free(&qp->sends)) {
		fail(qp, ENOMEM);
		return NULL;
	}
	qp->wqe = hv_queue_slot(qp, &qp->sends, qp->batch++);
	hv_wqe_head(qp->wqe, ibv->wr_id, opcode, ibv->wr_flags);
	return qp->wqe;
}

static void wr_start(struct ibv_qp_ex *ibv)
{
	struct hv_qp *qp = of(ibv);

	hv_lock(&qp->sends.posting);
	qp->batch = 0;
	qp->wqe = NULL;
	qp->batch_error = hv_allows_sends(qp) ? 0 : EINVAL;
}

static int wr_complete(struct ibv_qp_ex *ibv)
{
	struct hv_qp *qp = of(ibv);
	int error = qp->batch_error;

	if (error == 0 && qp->batch > 0)
		hv_publish_sends(qp, qp->batch);
	hv_unlock(&qp->sends.posting);
	return error;
}

static void wr_abort(struct ibv_qp_ex *ibv)
{
	hv_unlock(&of(ibv)->sends.posting);
}

static void wr_send(struct ibv_qp_ex *ibv)
{
	begin(ibv, IBV_WR_SEND);
}

static void wr_send_imm(struct ibv_qp_ex *ibv, __be32 immediate)
{
	uint8_t *wqe = begin(ibv, IBV_WR_SEND_WITH_IMM);

	if (wqe != NULL)
		hv_wqe_immediate(wqe, immediate);
}

static void wr_send_inv(struct ibv_qp_ex *ibv, uint32_t rkey)
{
	uint8_t *wqe = begin(ibv, IBV_WR_SEND_WITH_INV);

	if (wqe != NULL)
		hv_wqe_invalidated(wqe, rkey);
}

static void wr_rdma_write(struct ibv_qp_ex *ibv, uint32_t rkey, uint64_t address)
{
	uint8_t *wqe = begin(ibv, IBV_WR_RDMA_WRITE);

	if (wqe != NULL)
		hv_wqe_remote(wqe, address, rkey);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *ibv, uint32_t rkey, uint64_t address, __be32 immediate)
{
	uint8_t *wqe = begin(ibv, IBV_WR_RDMA_WRITE_WITH_IMM);

	if (wqe != NULL) {
		hv_wqe_remote(wqe, address, rkey);
		hv_wqe_immediate(wqe, immediate);
	}
}

static void wr_rdma_read(struct ibv_qp_ex *ibv, uint32_t rkey, uint64_t address)
{
	uint8_t *wqe = begin(ibv, IBV_WR_RDMA_READ);

	if (wqe != NULL)
		hv_wqe_remote(wqe, address, rkey);
}

static void wr_atomic_cmp_swp(struct ibv_qp_ex *ibv, uint32_t rkey, uint64_t address, uint64_t compare, uint64_t swap)
{
	uint8_t *wqe = begin(ibv, IBV_WR_ATOMIC_CMP_AND_SWP);

	if (wqe != NULL) {
		hv_wqe_remote(wqe, address, rkey);
		hv_wqe_atomic(wqe, compare, swap);
	}
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *ibv, uint32_t rkey, uint64_t address, uint64_t add)
{
	uint8_t *wqe = begin(ibv, IBV_WR_ATOMIC_FETCH_AND_ADD);

	if (wqe != NULL) {
		hv_wqe_remote(wqe, address, rkey);
		hv_wqe_atomic(wqe, add, 0);
	}
}

static void wr_local_inv(struct ibv_qp_ex *ibv, uint32_t rkey)
{
	uint8_t *wqe = begin(ibv, IBV_WR_LOCAL_INV);

	if (wqe != NULL)
		hv_wqe_invalidated(wqe, rkey);
}

static void wr_bind_mw(struct ibv_qp_ex *ibv, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *bind)
{
	uint8_t *wqe = begin(ibv, IBV_WR_BIND_MW);

	(void)mw;
	if (wqe != NULL)
		hv_wqe_bind(wqe, rkey, bind);
}

static void wr_set_ud_addr(struct ibv_qp_ex *ibv, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	struct hv_qp *qp = of(ibv);

	if (qp->wqe == NULL || ibv->qp_base.qp_type != IBV_QPT_UD || ah == NULL)
		fail(qp, EINVAL);
	else
		hv_wqe_destination(qp->wqe, ah, qpn, qkey);
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *ibv, uint32_t srqn)
{
	struct hv_qp *qp = of(ibv);

	if (qp->wqe == NULL || ibv->qp_base.qp_type != IBV_QPT_XRC_SEND)
		fail(qp, EINVAL);
	else
		hv_wqe_srqn(qp->wqe, srqn);
}

static void wr_set_sge_list(struct ibv_qp_ex *ibv, size_t count, const struct ibv_sge *segments)
{
	struct hv_qp *qp = of(ibv);
	int error = qp->wqe == NULL ? EINVAL : hv_wqe_segments(qp, qp->wqe, segments, count);

	if (error != 0)
		fail(qp, error);
}

static void wr_set_sge(struct ibv_qp_ex *ibv, uint32_t lkey, uint64_t address, uint32_t length)
{
	struct ibv_sge segment = {.addr = address, .length = length, .lkey = lkey};

	wr_set_sge_list(ibv, 1, &segment);
}

static void wr_set_inline_data_list(struct ibv_qp_ex *ibv, size_t count, const struct ibv_data_buf *buffers)
{
	struct hv_qp *qp = of(ibv);
	size_t total = 0;
	int error = 0;

	if (qp->wqe == NULL || !hv_takes_inline((enum ibv_wr_opcode)qp->wqe[HV_SEND_WQE_OPCODE_OFFSET]))
		error = EINVAL;
	for (size_t i = 0; error == 0 && i < count; i++)
		error = hv_wqe_inline(qp, qp->wqe, buffers[i].addr, buffers[i].length, &total);
	if (error != 0)
		fail(qp, error);
}

static void wr_set_inline_data(struct ibv_qp_ex *ibv, void *address, size_t length)
{
	struct ibv_data_buf buffer = {.addr = address, .length = length};

	wr_set_inline_data_list(ibv, 1, &buffer);
}

// What no queue pair can be created with.
static void wr_send_tso(struct ibv_qp_ex *ibv, void *header, uint16_t bytes, uint16_t mss)
{
	(void)header;
	(void)bytes;
	(void)mss;
	fail(of(ibv), EOPNOTSUPP);
}

static void wr_atomic_write(struct ibv_qp_ex *ibv, uint32_t rkey, uint64_t address, const void *value)
{
	(void)rkey;
	(void)address;
	(void)value;
	fail(of(ibv), EOPNOTSUPP);
}

void hv_fill_work_ops(struct hv_qp *qp)
{
	struct ibv_qp_ex *ops = &qp->qp;

	ops->wr_start = wr_start;
	ops->wr_complete = wr_complete;
	ops->wr_abort = wr_abort;
	ops->wr_send = wr_send;
	ops->wr_send_imm = wr_send_imm;
	ops->wr_send_inv = wr_send_inv;
	ops->wr_rdma_write = wr_rdma_write;
	ops->wr_rdma_write_imm = wr_rdma_write_imm;
	ops->wr_rdma_read = wr_rdma_read;
	ops->wr_atomic_cmp_swp = wr_atomic_cmp_swp;
	ops->wr_atomic_fetch_add = wr_atomic_fetch_add;
	ops->wr_local_inv = wr_local_inv;
	ops->wr_bind_mw = wr_bind_mw;
	ops->wr_set_ud_addr = wr_set_ud_addr;
	ops->wr_set_xrc_srqn = wr_set_xrc_srqn;
	ops->wr_set_sge = wr_set_sge;
	ops->wr_set_sge_list = wr_set_sge_list;
	ops->wr_set_inline_data = wr_set_inline_data;
	ops->wr_set_inline_data_list = wr_set_inline_data_list;
	ops->wr_send_tso = wr_send_tso;
	ops->wr_atomic_write = wr_atomic_write;
}
