// Filling work queue entries: the parts that ibv_post_send and the ibv_wr_* calls have in common. Each answers 0 or an
// errno; nothing is published.
#ifndef HV_WQE_H
#define HV_WQE_H

#include "queues.h"

#define HV_CALLERS_FLAGS (IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED)

_Static_assert(sizeof(struct ibv_sge) == HV_SEND_WQE_SGE_BYTES && offsetof(struct ibv_sge, length) == 8
		       && offsetof(struct ibv_sge, lkey) == 12,
	       "a segment lies in an entry as in an ibv_sge");

// Whether a queue pair of that type has the operation. Others the HCA would end with an error.
static inline bool hv_has_opcode(enum ibv_qp_type type, enum ibv_wr_opcode opcode)
{
	switch (opcode) {
	case IBV_WR_SEND:
	case IBV_WR_SEND_WITH_IMM: return type != IBV_QPT_XRC_RECV;
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
	case IBV_WR_LOCAL_INV:
	case IBV_WR_BIND_MW:
	case IBV_WR_SEND_WITH_INV: return type != IBV_QPT_UD && type != IBV_QPT_XRC_RECV;
	case IBV_WR_RDMA_READ:
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD: return type == IBV_QPT_RC || type == IBV_QPT_XRC_SEND;
	default: return false;
	}
}

static inline bool hv_takes_inline(enum ibv_wr_opcode opcode)
{
	return opcode <= IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_SEND_WITH_INV;
}

// The fields that every request has; the others become 0.
static inline void hv_wqe_head(uint8_t *wqe, uint64_t wr_id, enum ibv_wr_opcode opcode, unsigned int flags)
{
	memset(wqe, 0, HV_SEND_WQE_SGES_OFFSET);
	hv_set64(wqe + HV_SEND_WQE_WR_ID_OFFSET, wr_id);
	wqe[HV_SEND_WQE_OPCODE_OFFSET] = (uint8_t)opcode;
	wqe[HV_SEND_WQE_FLAGS_OFFSET] = (uint8_t)(flags & HV_CALLERS_FLAGS);
}

static inline void hv_wqe_immediate(uint8_t *wqe, __be32 immediate)
{
	hv_set32(wqe + HV_SEND_WQE_IMMEDIATE_OFFSET, be32toh(immediate));
}

static inline void hv_wqe_invalidated(uint8_t *wqe, uint32_t rkey)
{
	hv_set32(wqe + HV_WINDOW_WQE_INVALIDATED_OFFSET, rkey);
}

static inline void hv_wqe_remote(uint8_t *wqe, uint64_t address, uint32_t rkey)
{
	hv_set64(wqe + HV_SEND_WQE_REMOTE_ADDRESS_OFFSET, address);
	hv_set32(wqe + HV_SEND_WQE_RKEY_OFFSET, rkey);
}

static inline void hv_wqe_atomic(uint8_t *wqe, uint64_t expected_or_addend, uint64_t replacement)
{
	hv_set64(wqe + HV_SEND_WQE_EXPECTED_OFFSET, expected_or_addend);
	hv_set64(wqe + HV_SEND_WQE_REPLACEMENT_OFFSET, replacement);
}

static inline void hv_wqe_destination(uint8_t *wqe, const struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	hv_set32(wqe + HV_SEND_WQE_AH_OFFSET, ((const struct hv_ah *)ah)->number);
	hv_set32(wqe + HV_SEND_WQE_REMOTE_QPN_OFFSET, qpn);
	hv_set32(wqe + HV_SEND_WQE_REMOTE_QKEY_OFFSET, qkey);
}

// Where an atomic has its operands, which has no inline bytes.
static inline void hv_wqe_srqn(uint8_t *wqe, uint32_t srqn)
{
	uint8_t opcode = wqe[HV_SEND_WQE_OPCODE_OFFSET];
	bool is_atomic = opcode == HV_SEND_WQE_OPCODE_COMPARE_AND_SWAP || opcode == HV_SEND_WQE_OPCODE_FETCH_AND_ADD;

	hv_set32(wqe + (is_atomic ? HV_SEND_WQE_INLINE_BYTES_OFFSET : HV_SEND_WQE_EXPECTED_OFFSET), srqn);
}

static inline void hv_wqe_bind(uint8_t *wqe, uint32_t rkey, const struct ibv_mw_bind_info *bind)
{
	hv_set64(wqe + HV_WINDOW_WQE_ADDRESS_OFFSET, bind->addr);
	hv_set32(wqe + HV_WINDOW_WQE_RKEY_OFFSET, rkey);
	hv_set32(wqe + HV_WINDOW_WQE_LKEY_OFFSET, bind->mr == NULL ? 0 : bind->mr->lkey);
	hv_set64(wqe + HV_WINDOW_WQE_LENGTH_OFFSET, bind->length);
	// What the owner may do is the region's matter: a window is for others.
	hv_set32(wqe + HV_WINDOW_WQE_ACCESS_OFFSET, bind->mw_access_flags & ~(unsigned int)IBV_ACCESS_LOCAL_WRITE);
}

static inline int hv_wqe_segments(const struct hv_qp *qp, uint8_t *wqe, const struct ibv_sge *segments, size_t count)
{
	if (count > qp->sends.max_sge)
		return EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (segments[i].length > INT32_MAX)
			return EINVAL;
	}
	if (count > 0)
		memcpy(wqe + HV_SEND_WQE_SGES_OFFSET, segments, count * sizeof(*segments));
	hv_set16(wqe + HV_SEND_WQE_SEGMENT_COUNT_OFFSET, (uint16_t)count);
	return 0;
}

// Appends bytes of the payload; `*total` counts them, from 0.
static inline int hv_wqe_inline(const struct hv_qp *qp, uint8_t *wqe, const void *bytes, size_t length, size_t *total)
{
	if (length > qp->max_inline - *total)
		return EINVAL;
	if (length > 0)
		memcpy(wqe + HV_SEND_WQE_SGES_OFFSET + *total, bytes, length);
	*total += length;
	hv_set32(wqe + HV_SEND_WQE_INLINE_BYTES_OFFSET, (uint32_t)*total);
	wqe[HV_SEND_WQE_FLAGS_OFFSET] |= IBV_SEND_INLINE;
	return 0;
}

#endif
