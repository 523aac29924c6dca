// The stream's writes and completions.
#include "rsocket.h"

#define COMPLETIONS 16

// Marks sends that are no bytes of the out ring.
#define CONTROL (1ull << 63)

static uint32_t smaller(uint32_t one, uint32_t other)
{
	return one < other ? one : other;
}

static int post_receive(struct hv_rs *rs)
{
	// Immediate data alone comes there.
	struct ibv_recv_wr receive = {.num_sge = 0};
	struct ibv_recv_wr *bad;

	return ibv_post_recv(rs->id->qp, &receive, &bad);
}

int hv_rs_post_receives(struct hv_rs *rs)
{
	int error = 0;

	for (uint32_t i = 0; i < HV_RS_MESSAGES + HV_RS_CONTROLS && error == 0; i++)
		error = post_receive(rs);
	return error;
}

static bool has_place(const struct hv_rs *rs, bool is_control)
{
	return rs->sends < HV_RS_MESSAGES + (is_control ? HV_RS_CONTROLS : 0);
}

static void post(struct hv_rs *rs, struct ibv_send_wr *write)
{
	struct ibv_send_wr *bad;

	if (ibv_post_send(rs->id->qp, write, &bad) == 0)
		rs->sends++;
	else
		rs->is_broken = true;
}

static void write_to_peer(struct hv_rs *rs, enum hv_rs_kind kind, const void *from, uint64_t to, uint32_t length,
			  uint64_t tag)
{
	struct ibv_sge part = {.addr = (uintptr_t)from, .length = length, .lkey = rs->out_mr->lkey};
	struct ibv_send_wr write = {
		.wr_id = tag,
		.sg_list = &part,
		.num_sge = length == 0 ? 0 : 1,
		.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		.imm_data = htobe32((uint32_t)kind << HV_RS_KIND_SHIFT | length),
		.wr.rdma = {.remote_addr = to, .rkey = rs->peer.rkey},
	};

	post(rs, &write);
}

static uint64_t words_of_peer(const struct hv_rs *rs)
{
	return rs->peer.ring + rs->peer.ring_bytes;
}

void hv_rs_tell(struct hv_rs *rs)
{
	uint32_t bytes = rs->in_read - rs->in_told;
	uint32_t messages = rs->messages_taken - rs->messages_told;

	if (bytes < rs->in_bytes / 2 && messages < HV_RS_MESSAGES / 2)
		return;
	if (hv_rs_is_over(rs) || !has_place(rs, true))
		return;
	// A credit on its way may be overtaken by this one: both counts only grow.
	rs->saying->credit = (struct hv_rs_credit){.bytes = rs->in_read, .messages = rs->messages_taken};
	rs->in_told = rs->in_read;
	rs->messages_told = rs->messages_taken;
	write_to_peer(rs, HV_RS_CREDIT, &rs->saying->credit, words_of_peer(rs), sizeof(rs->saying->credit), CONTROL);
}

uint32_t hv_rs_room(const struct hv_rs *rs)
{
	uint32_t size = rs->peer.ring_bytes;
	uint32_t out = rs->out_bytes - (rs->out_written - rs->out_done);
	uint32_t remote = size - (rs->remote_written - rs->remote_read);

	if (!has_place(rs, false) || rs->messages_sent - rs->messages_read >= rs->peer.messages)
		return 0;
	out = smaller(out, rs->out_bytes - rs->out_written % rs->out_bytes);
	remote = smaller(remote, size - rs->remote_written % size);
	return smaller(smaller(out, remote), HV_RS_CHUNK_BYTES);
}

void hv_rs_send(struct hv_rs *rs, const uint8_t *bytes, uint32_t length)
{
	uint8_t *from = rs->out + rs->out_written % rs->out_bytes;
	uint64_t to = rs->peer.ring + rs->remote_written % rs->peer.ring_bytes;

	memcpy(from, bytes, length);
	rs->out_written += length;
	rs->remote_written += length;
	rs->messages_sent++;
	write_to_peer(rs, HV_RS_DATA, from, to, length, length);
}

void hv_rs_send_end(struct hv_rs *rs)
{
	rs->has_ended = true;
	if (!hv_rs_is_over(rs))
		write_to_peer(rs, HV_RS_FIN, NULL, rs->peer.ring, 0, CONTROL);
}

bool hv_rs_send_iomap(struct hv_rs *rs, uint32_t index)
{
	struct hv_rs_iomap *entry = &rs->saying->iomaps[index];
	uint64_t to = words_of_peer(rs) + offsetof(struct hv_rs_words, iomaps) + index * sizeof(*entry);

	if (!has_place(rs, true))
		return false;
	write_to_peer(rs, HV_RS_IOMAP, entry, to, sizeof(*entry), CONTROL);
	return true;
}

void hv_rs_write(struct hv_rs *rs, const uint8_t *bytes, uint32_t length, uint64_t to, uint32_t rkey)
{
	uint8_t *from = rs->out + rs->out_written % rs->out_bytes;
	struct ibv_sge part = {.addr = (uintptr_t)from, .length = length, .lkey = rs->out_mr->lkey};
	struct ibv_send_wr write = {
		.wr_id = length,
		.sg_list = &part,
		.num_sge = 1,
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma = {.remote_addr = to, .rkey = rkey},
	};

	memcpy(from, bytes, length);
	rs->out_written += length;
	post(rs, &write);
}

// A peer that says more than it may have written, or read, is none.
static void take_write(struct hv_rs *rs, uint32_t said)
{
	uint32_t length = said & HV_RS_LENGTH_MASK;

	switch (said >> HV_RS_KIND_SHIFT) {
	case HV_RS_DATA:
		if (length == 0 || length > rs->in_bytes - hv_rs_available(rs)) {
			rs->is_broken = true;
			return;
		}
		rs->in_written += length;
		rs->messages_taken++;
		// Nobody reads it: its room is the writer's again.
		if (rs->reads_no_more)
			rs->in_read = rs->in_written;
		break;
	case HV_RS_CREDIT: {
		struct hv_rs_credit credit = rs->said->credit;

		if (rs->remote_written - credit.bytes > rs->peer.ring_bytes
		    || rs->messages_sent - credit.messages > rs->peer.messages) {
			rs->is_broken = true;
			return;
		}
		rs->remote_read = credit.bytes;
		rs->messages_read = credit.messages;
		break;
	}
	case HV_RS_FIN: rs->has_end = true; break;
	case HV_RS_IOMAP: break;
	default: rs->is_broken = true; return;
	}
	if (post_receive(rs) != 0)
		rs->is_broken = true;
}

static void take_completion(struct hv_rs *rs, const struct ibv_wc *wc)
{
	if (wc->status != IBV_WC_SUCCESS) {
		rs->is_broken = true;
		return;
	}
	if ((wc->opcode & IBV_WC_RECV) != 0) {
		take_write(rs, be32toh(wc->imm_data));
		return;
	}
	rs->sends--;
	if ((wc->wr_id & CONTROL) == 0)
		rs->out_done += (uint32_t)wc->wr_id;
}

void hv_rs_progress(struct hv_rs *rs)
{
	struct ibv_wc completions[COMPLETIONS];
	int got;

	if (rs->cq == NULL || rs->is_broken)
		return;
	do {
		got = ibv_poll_cq(rs->cq, COMPLETIONS, completions);
		for (int i = 0; i < got; i++)
			take_completion(rs, &completions[i]);
	} while (got == COMPLETIONS);
	if (got < 0)
		rs->is_broken = true;
	hv_rs_tell(rs);
}
