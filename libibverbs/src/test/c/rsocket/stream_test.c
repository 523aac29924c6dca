// Two ends of a stream over verbs that write at once and complete in a random order of the two queues: a random walk of
// sends and reads, with rings of different lengths, from counts that go round at 2^32; then peers that lie.
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "rsocket/rsocket.h"

#define STEPS 200000
#define PHASE 500
#define PLACES 256
#define RANDOM_MULTIPLIER 6364136223846793005ull

static uint64_t state = 20061;

static uint32_t any(uint32_t below)
{
	state = state * RANDOM_MULTIPLIER + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % below;
}

// One end, with the completions that its program has not taken.
struct end {
	struct hv_rs rs;
	struct rdma_cm_id id;
	struct ibv_qp qp;
	struct ibv_cq cq;
	struct ibv_mr mr;
	struct ibv_wc completions[PLACES];
	uint32_t first;
	uint32_t count;
	uint32_t receives;
	uint32_t credits; // that it told, and ends
	struct end *peer;
	uint64_t sent; // bytes of its program
	uint64_t got;
};

static struct end ends[2];

static struct end *end_of(const void *qp_or_cq)
{
	return qp_or_cq == &ends[0].qp || qp_or_cq == &ends[0].cq ? &ends[0] : &ends[1];
}

static void complete(struct end *end, struct ibv_wc wc)
{
	CHECK(end->count < PLACES);
	end->completions[(end->first + end->count++) % PLACES] = wc;
}

// Writes into the peer's memory, as the HCA would, within what is registered.
static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct end *end = end_of(qp);
	struct end *peer = end->peer;
	uint8_t *to = (uint8_t *)(uintptr_t)wr->wr.rdma.remote_addr;

	(void)bad;
	CHECK(end->rs.sends < HV_RS_MESSAGES + HV_RS_CONTROLS);
	if (be32toh(wr->imm_data) >> HV_RS_KIND_SHIFT == HV_RS_DATA)
		CHECK(wr->sg_list->addr + wr->sg_list->length <= (uintptr_t)end->rs.out + end->rs.out_bytes);
	else
		end->credits++;
	if (wr->num_sge == 1) {
		CHECK(to >= peer->rs.in && to + wr->sg_list->length <= peer->rs.in + peer->rs.in_bytes + sizeof(struct hv_rs_words));
		memcpy(to, (void *)(uintptr_t)wr->sg_list->addr, wr->sg_list->length);
	}
	complete(end, (struct ibv_wc){.wr_id = wr->wr_id, .opcode = IBV_WC_RDMA_WRITE});
	// The stream has a receive for each of its messages.
	CHECK(peer->receives > 0);
	peer->receives--;
	complete(peer, (struct ibv_wc){.imm_data = wr->imm_data, .opcode = IBV_WC_RECV_RDMA_WITH_IMM});
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	(void)wr;
	(void)bad;
	end_of(qp)->receives++;
	return 0;
}

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *wc)
{
	struct end *end = end_of(cq);
	int got = 0;

	while (got < most && end->count > 0) {
		wc[got++] = end->completions[end->first++ % PLACES];
		end->count--;
	}
	return got;
}

static struct ibv_context context = {
	.ops = {.post_send = post_send, .post_recv = post_recv, .poll_cq = poll_cq},
};

static void open_end(struct end *end, uint32_t in_bytes, uint32_t out_bytes)
{
	struct hv_rs *rs = &end->rs;

	free(rs->in);
	free(rs->out);
	memset(end, 0, sizeof(*end));
	end->qp.context = &context;
	end->cq.context = &context;
	end->id.qp = &end->qp;
	rs->id = &end->id;
	rs->cq = &end->cq;
	rs->state = HV_RS_CONNECTED;
	rs->in_bytes = in_bytes;
	rs->out_bytes = out_bytes;
	rs->in = calloc(1, in_bytes + sizeof(struct hv_rs_words));
	rs->out = calloc(1, out_bytes + sizeof(struct hv_rs_words));
	rs->said = (struct hv_rs_words *)(rs->in + in_bytes);
	rs->saying = (struct hv_rs_words *)(rs->out + out_bytes);
	rs->in_mr = &end->mr;
	rs->out_mr = &end->mr;
	CHECK(hv_rs_post_receives(rs) == 0);
}

static void introduce(struct end *end, struct end *peer)
{
	struct hv_rs *rs = &end->rs;

	end->peer = peer;
	rs->peer = (struct hv_rs_hello){
		.ring = (uintptr_t)peer->rs.in,
		.ring_bytes = peer->rs.in_bytes,
		.messages = HV_RS_MESSAGES,
	};
}

// Both, with counts that are as many bytes before they go round.
static void open_ends(uint32_t before_end)
{
	uint32_t start = 0u - before_end;

	open_end(&ends[0], 4096, 4096);
	open_end(&ends[1], 16384, 16384);
	introduce(&ends[0], &ends[1]);
	introduce(&ends[1], &ends[0]);
	for (int i = 0; i < 2; i++) {
		struct hv_rs *rs = &ends[i].rs;

		rs->in_written = rs->in_read = rs->in_told = start;
		rs->out_written = rs->out_done = start;
		rs->remote_written = rs->remote_read = start;
		rs->messages_taken = rs->messages_told = rs->messages_sent = rs->messages_read = start;
		rs->said->credit = (struct hv_rs_credit){.bytes = start, .messages = start};
	}
}

static uint8_t byte_at(const struct end *sender, uint64_t number)
{
	return (uint8_t)(number * 31 + number / 256 + (sender == &ends[0] ? 7 : 0));
}

static void send_some(struct end *end, uint32_t most)
{
	uint8_t bytes[HV_RS_CHUNK_BYTES];
	uint32_t room = hv_rs_room(&end->rs);
	uint32_t length = room == 0 ? 0 : any(4) == 0 ? room : 1 + any(room < 100 ? room : 100);

	if (length > most)
		length = most;
	for (uint32_t i = 0; i < length; i++)
		bytes[i] = byte_at(end, end->sent + i);
	if (length > 0)
		hv_rs_send(&end->rs, bytes, length);
	end->sent += length;
}

static void read_some(struct end *end)
{
	struct hv_rs *rs = &end->rs;
	uint32_t there = hv_rs_available(rs);
	uint32_t length = there == 0 ? 0 : 1 + any(there);

	CHECK(there <= rs->in_bytes);
	for (uint32_t i = 0; i < length; i++)
		CHECK(rs->in[(rs->in_read + i) % rs->in_bytes] == byte_at(end->peer, end->got + i));
	rs->in_read += length;
	end->got += length;
	hv_rs_tell(rs);
}

// Writes of up to `most` bytes.
static void walk(uint32_t most)
{
	uint32_t left_out = 0;

	open_ends(10000);
	for (int i = 0; i < STEPS; i++) {
		struct end *end = &ends[any(2)];
		uint32_t step = any(3);

		// For a while an end does nothing, or both leave something out.
		if (i % PHASE == 0)
			left_out = any(6);
		if ((left_out < 2 && end == &ends[left_out]) || step + 2 == left_out)
			continue;
		switch (step) {
		case 0: send_some(end, most); break;
		case 1: read_some(end); break;
		default: hv_rs_progress(&end->rs); break;
		}
		CHECK(!ends[0].rs.is_broken && !ends[1].rs.is_broken);
	}
	// What was sent arrives, and both can send again.
	for (int i = 0; i < STEPS; i++) {
		hv_rs_progress(&ends[i % 2].rs);
		read_some(&ends[i % 2]);
	}
	for (int i = 0; i < 2; i++) {
		CHECK(ends[i].got == ends[i].peer->sent && ends[i].sent > STEPS / 20);
		// One credit for half of a window.
		CHECK(ends[i].credits <= ends[i].got / (ends[i].rs.in_bytes / 2) + STEPS / (HV_RS_MESSAGES / 2) + 1);
		CHECK(hv_rs_room(&ends[i].rs) > 0);
	}
	hv_rs_send_end(&ends[0].rs);
	hv_rs_progress(&ends[1].rs);
	CHECK(ends[1].rs.has_end && !ends[0].rs.has_end);
}

static void say(uint32_t kind, uint32_t length)
{
	ends[0].receives--;
	complete(&ends[0], (struct ibv_wc){
				   .opcode = IBV_WC_RECV_RDMA_WITH_IMM,
				   .imm_data = htobe32(kind << HV_RS_KIND_SHIFT | length),
			   });
	hv_rs_progress(&ends[0].rs);
}

// A peer may write what it likes; a stream that cannot be is broken, and nothing is read or written outside.
static void lies(void)
{
	open_ends(0);
	say(HV_RS_DATA, 4097);
	CHECK(ends[0].rs.is_broken && hv_rs_available(&ends[0].rs) == 0);
	open_ends(0);
	say(HV_RS_DATA, 4096);
	CHECK(!ends[0].rs.is_broken && hv_rs_available(&ends[0].rs) == 4096);
	say(HV_RS_DATA, 1);
	CHECK(ends[0].rs.is_broken);
	open_ends(0);
	say(HV_RS_DATA, 0);
	CHECK(ends[0].rs.is_broken);
	open_ends(0);
	ends[0].rs.said->credit.bytes = 1; // more than was written
	say(HV_RS_CREDIT, 8);
	CHECK(ends[0].rs.is_broken);
	open_ends(0);
	ends[0].rs.said->credit.messages = 1;
	say(HV_RS_CREDIT, 8);
	CHECK(ends[0].rs.is_broken);
	open_ends(0);
	say(7, 0);
	CHECK(ends[0].rs.is_broken);
	open_ends(0);
	complete(&ends[0], (struct ibv_wc){.status = IBV_WC_WR_FLUSH_ERR});
	hv_rs_progress(&ends[0].rs);
	CHECK(ends[0].rs.is_broken);
}

int main(void)
{
	walk(HV_RS_CHUNK_BYTES);
	walk(1);
	lies();
	for (int i = 0; i < 2; i++) {
		free(ends[i].rs.in);
		free(ends[i].rs.out);
	}
	return 0;
}
