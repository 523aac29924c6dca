// Taking completions off the ring, and arming it.
#include <sched.h>
#include <time.h>

#include "verbs.h"

// Programs poll in a loop, and there may be fewer processors than parties: after this many polls in vain the others
// get their turn.
#define EMPTY_POLLS 64

// A yield is for others of the same control group alone, and each guest has its own: after this many without any
// completion a thread sleeps, so that other guests run.
#define YIELDS 20
#define NAP_NANOS 20000

// Since the process last had a completion, by any queue: one that is polled beside a busy one may be empty for ever.
static uint32_t yields;

_Static_assert((int)HV_WORK_COMPLETION_OPCODE_RECV == IBV_WC_RECV
		       && (int)HV_WORK_COMPLETION_OPCODE_RECV_RDMA_WITH_IMM == IBV_WC_RECV_RDMA_WITH_IMM
		       && (int)HV_WORK_COMPLETION_OPCODE_RDMA_READ == IBV_WC_RDMA_READ
		       && (int)HV_WORK_COMPLETION_OPCODE_LOCAL_INV == IBV_WC_LOCAL_INV
		       && (int)HV_VERBS_STATUS_GENERAL_ERR == IBV_WC_GENERAL_ERR
		       && (int)HV_VERBS_STATUS_WR_FLUSH_ERR == IBV_WC_WR_FLUSH_ERR,
	       "codes are those of verbs.h");

static const uint8_t *entry(const struct hv_cq *cq, uint32_t index)
{
	return cq->ring.memory + HV_CQ_HEADER_SIZE_BYTES + (size_t)(index & cq->mask) * HV_CQE_SIZE_BYTES;
}

static bool is_valid(const struct hv_cq *cq, uint32_t index)
{
	return hv_acquire32(entry(cq, index) + HV_CQE_SEQUENCE_OFFSET) == index + 1;
}

uint32_t hv_cq_arrived(const struct hv_cq *cq)
{
	uint32_t index = cq->consumer;

	while (index - cq->consumer <= cq->mask && is_valid(cq, index))
		index++;
	return index;
}

static bool is_receive(const uint8_t *cqe)
{
	return cqe[HV_CQE_OPCODE_OFFSET] >= HV_WORK_COMPLETION_OPCODE_RECV;
}

// Slots that an index beyond them frees. One that names slots which were not posted is left over from before a reset.
static void free_sends(struct hv_queue *sends, uint32_t head)
{
	uint32_t before = atomic_load_explicit(&sends->head, memory_order_relaxed);
	uint32_t producer = __atomic_load_n(&sends->producer, __ATOMIC_RELAXED);

	if ((int32_t)(head - before) > 0 && (int32_t)(head - producer) <= 0)
		atomic_store_explicit(&sends->head, head, memory_order_release);
}

static void free_receive(struct hv_queue *receives)
{
	uint32_t head = atomic_load_explicit(&receives->head, memory_order_relaxed);

	if (head != __atomic_load_n(&receives->producer, __ATOMIC_RELAXED))
		atomic_store_explicit(&receives->head, head + 1, memory_order_release);
}

// Frees what a completion frees, before the program sees it: it may post again at once. False if the HCA wrote the
// completion before the queue pair was reset: the program does not get it.
static bool account(struct hv_cq *cq, const uint8_t *cqe)
{
	struct hv_qp *qp = hv_find_qp(hv_context(cq->cq.context), hv_get32(cqe + HV_CQE_QPN_OFFSET));

	if (qp == NULL)
		return true;
	if (is_receive(cqe)) {
		if (qp->has_stale && (int32_t)(cq->consumer - qp->stale_receives_before) < 0)
			return false;
		free_receive(&qp->receives);
		return true;
	}
	if (qp->has_stale && (int32_t)(cq->consumer - qp->stale_sends_before) < 0)
		return false;
	free_sends(&qp->sends, hv_get32(cqe + HV_CQE_SQ_HEAD_OFFSET));
	return true;
}

// The next completion, taken; NULL if there is none. The HCA writes over it once the consumer index is published.
static const uint8_t *take(struct hv_cq *cq)
{
	while (is_valid(cq, cq->consumer)) {
		const uint8_t *cqe = entry(cq, cq->consumer);
		bool is_news = account(cq, cqe);

		cq->consumer++;
		if (is_news)
			return cqe;
	}
	return NULL;
}

static void publish(struct hv_cq *cq)
{
	hv_release32(cq->ring.memory + HV_CQ_HEADER_CONSUMER_INDEX_OFFSET, cq->consumer);
}

static unsigned int flags(const uint8_t *cqe)
{
	uint8_t given = cqe[HV_CQE_FLAGS_OFFSET];
	unsigned int found = 0;

	if ((given & HV_CQE_FLAG_IMMEDIATE) != 0)
		found |= IBV_WC_WITH_IMM;
	else if ((given & HV_CQE_FLAG_INVALIDATED) != 0)
		found |= IBV_WC_WITH_INV;
	if ((given & HV_CQE_FLAG_GRH) != 0)
		found |= IBV_WC_GRH;
	return found;
}

// Where a datagram came from; other completions, and those with an error, have something else there.
static bool has_source(const uint8_t *cqe)
{
	return hv_get16(cqe + HV_CQE_STATUS_OFFSET) == IBV_WC_SUCCESS && hv_get32(cqe + HV_CQE_SOURCE_QPN_OFFSET) != 0;
}

static __be32 immediate(const uint8_t *cqe)
{
	uint32_t value = hv_get32(cqe + HV_CQE_IMMEDIATE_OFFSET);

	// A key is a number, immediate data are bytes in the order of the wire.
	return (cqe[HV_CQE_FLAGS_OFFSET] & HV_CQE_FLAG_IMMEDIATE) != 0 ? htobe32(value) : value;
}

static void fill(struct ibv_wc *completion, const uint8_t *cqe)
{
	*completion = (struct ibv_wc){
		.wr_id = hv_get64(cqe + HV_CQE_WR_ID_OFFSET),
		.status = (enum ibv_wc_status)hv_get16(cqe + HV_CQE_STATUS_OFFSET),
		.opcode = (enum ibv_wc_opcode)cqe[HV_CQE_OPCODE_OFFSET],
		.vendor_err = hv_get16(cqe + HV_CQE_VENDOR_ERROR_OFFSET),
		.byte_len = hv_get32(cqe + HV_CQE_BYTE_COUNT_OFFSET),
		.imm_data = immediate(cqe),
		.qp_num = hv_get32(cqe + HV_CQE_QPN_OFFSET),
		.wc_flags = flags(cqe),
	};
	if (has_source(cqe)) {
		completion->src_qp = hv_get32(cqe + HV_CQE_SOURCE_QPN_OFFSET);
		completion->slid = hv_get16(cqe + HV_CQE_SOURCE_LID_OFFSET);
		completion->sl = (uint8_t)hv_get32(cqe + HV_CQE_SERVICE_LEVEL_OFFSET);
		completion->pkey_index = hv_get16(cqe + HV_CQE_PKEY_INDEX_OFFSET);
	}
}

static void after_empty_poll(struct hv_cq *cq)
{
	if (__atomic_add_fetch(&cq->empty_polls, 1, __ATOMIC_RELAXED) % EMPTY_POLLS != 0)
		return;
	if (__atomic_add_fetch(&yields, 1, __ATOMIC_RELAXED) < YIELDS)
		sched_yield();
	else
		nanosleep(&(struct timespec){.tv_nsec = NAP_NANOS}, NULL);
}

static void after_completions(void)
{
	if (__atomic_load_n(&yields, __ATOMIC_RELAXED) != 0)
		__atomic_store_n(&yields, 0, __ATOMIC_RELAXED);
}

int hv_poll_cq(struct ibv_cq *ibv, int count, struct ibv_wc *completions)
{
	struct hv_cq *cq = hv_cq(ibv);
	const uint8_t *cqe;
	uint32_t before;
	int filled = 0;

	hv_lock(&cq->polling);
	before = cq->consumer;
	while (filled < count && (cqe = take(cq)) != NULL)
		fill(&completions[filled++], cqe);
	if (cq->consumer != before)
		publish(cq);
	hv_unlock(&cq->polling);
	if (filled == 0)
		after_empty_poll(cq);
	else
		after_completions();
	return filled;
}

int hv_req_notify_cq(struct ibv_cq *ibv, int solicited_only)
{
	struct hv_cq *cq = hv_cq(ibv);
	size_t offset = solicited_only ? HV_CQ_HEADER_ARM_SOLICITED_OFFSET : HV_CQ_HEADER_ARM_ANY_OFFSET;

	if (cq->cq.channel == NULL)
		return EINVAL;
	hv_lock(&cq->polling);
	cq->arm_number++;
	// The event is of the next completion: those that are there already raise none.
	__atomic_store_n((uint64_t *)(cq->ring.memory + offset), (uint64_t)cq->arm_number << 32 | hv_cq_arrived(cq),
			 __ATOMIC_RELEASE);
	hv_unlock(&cq->polling);
	hv_ring_doorbell(hv_context(ibv->context), cq->slot);
	return 0;
}

static int show(struct hv_cq *cq)
{
	cq->current = take(cq);
	if (cq->current == NULL)
		return ENOENT;
	cq->cq.status = (enum ibv_wc_status)hv_get16(cq->current + HV_CQE_STATUS_OFFSET);
	cq->cq.wr_id = hv_get64(cq->current + HV_CQE_WR_ID_OFFSET);
	return 0;
}

// The lock is held from here to end_poll, unless there is nothing.
static int start_poll(struct ibv_cq_ex *ibv, struct ibv_poll_cq_attr *attributes)
{
	struct hv_cq *cq = (struct hv_cq *)ibv;
	uint32_t before;

	if (attributes->comp_mask != 0)
		return EINVAL;
	hv_lock(&cq->polling);
	before = cq->consumer;
	if (show(cq) == 0) {
		after_completions();
		return 0;
	}
	if (cq->consumer != before)
		publish(cq);
	hv_unlock(&cq->polling);
	after_empty_poll(cq);
	return ENOENT;
}

static int next_poll(struct ibv_cq_ex *ibv)
{
	return show((struct hv_cq *)ibv);
}

static void end_poll(struct ibv_cq_ex *ibv)
{
	struct hv_cq *cq = (struct hv_cq *)ibv;

	publish(cq);
	hv_unlock(&cq->polling);
}

static const uint8_t *current(struct ibv_cq_ex *ibv)
{
	return ((struct hv_cq *)ibv)->current;
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *ibv)
{
	return (enum ibv_wc_opcode)current(ibv)[HV_CQE_OPCODE_OFFSET];
}

static uint32_t read_vendor_err(struct ibv_cq_ex *ibv)
{
	return hv_get16(current(ibv) + HV_CQE_VENDOR_ERROR_OFFSET);
}

static uint32_t read_byte_len(struct ibv_cq_ex *ibv)
{
	return hv_get32(current(ibv) + HV_CQE_BYTE_COUNT_OFFSET);
}

static __be32 read_imm_data(struct ibv_cq_ex *ibv)
{
	return immediate(current(ibv));
}

static uint32_t read_qp_num(struct ibv_cq_ex *ibv)
{
	return hv_get32(current(ibv) + HV_CQE_QPN_OFFSET);
}

static uint32_t read_src_qp(struct ibv_cq_ex *ibv)
{
	return has_source(current(ibv)) ? hv_get32(current(ibv) + HV_CQE_SOURCE_QPN_OFFSET) : 0;
}

static unsigned int read_wc_flags(struct ibv_cq_ex *ibv)
{
	return flags(current(ibv));
}

static uint32_t read_slid(struct ibv_cq_ex *ibv)
{
	return has_source(current(ibv)) ? hv_get16(current(ibv) + HV_CQE_SOURCE_LID_OFFSET) : 0;
}

static uint8_t read_sl(struct ibv_cq_ex *ibv)
{
	return has_source(current(ibv)) ? (uint8_t)hv_get32(current(ibv) + HV_CQE_SERVICE_LEVEL_OFFSET) : 0;
}

// A port has one LID.
static uint8_t read_dlid_path_bits(struct ibv_cq_ex *ibv)
{
	(void)ibv;
	return 0;
}

// Fields that no queue can be created with read as 0.
static uint64_t read_no_time(struct ibv_cq_ex *ibv)
{
	(void)ibv;
	return 0;
}

static uint16_t read_no_vlan(struct ibv_cq_ex *ibv)
{
	(void)ibv;
	return 0;
}

static uint32_t read_no_tag(struct ibv_cq_ex *ibv)
{
	(void)ibv;
	return 0;
}

static void read_no_tm_info(struct ibv_cq_ex *ibv, struct ibv_wc_tm_info *info)
{
	(void)ibv;
	*info = (struct ibv_wc_tm_info){0};
}

void hv_fill_poll_ops(struct hv_cq *cq)
{
	struct ibv_cq_ex *ops = &cq->cq;

	ops->start_poll = start_poll;
	ops->next_poll = next_poll;
	ops->end_poll = end_poll;
	ops->read_opcode = read_opcode;
	ops->read_vendor_err = read_vendor_err;
	ops->read_byte_len = read_byte_len;
	ops->read_imm_data = read_imm_data;
	ops->read_qp_num = read_qp_num;
	ops->read_src_qp = read_src_qp;
	ops->read_wc_flags = read_wc_flags;
	ops->read_slid = read_slid;
	ops->read_sl = read_sl;
	ops->read_dlid_path_bits = read_dlid_path_bits;
	ops->read_completion_ts = read_no_time;
	ops->read_completion_wallclock_ns = read_no_time;
	ops->read_cvlan = read_no_vlan;
	ops->read_flow_tag = read_no_tag;
	ops->read_tm_info = read_no_tm_info;
}
