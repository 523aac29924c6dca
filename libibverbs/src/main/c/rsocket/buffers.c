// What a connection has: a queue pair, a completion queue, and memory that is registered.
#include <fcntl.h>
#include <sys/mman.h>

#include "rsocket.h"

static uint8_t *map(uint32_t ring_bytes)
{
	uint8_t *mapped = mmap(NULL, ring_bytes + sizeof(struct hv_rs_words), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mapped == MAP_FAILED ? NULL : mapped;
}

static void unmap(uint8_t *mapped, uint32_t ring_bytes)
{
	if (mapped != NULL)
		munmap(mapped, ring_bytes + sizeof(struct hv_rs_words));
}

static int register_rings(struct hv_rs *rs)
{
	rs->in = map(rs->in_bytes);
	rs->out = map(rs->out_bytes);
	if (rs->in == NULL || rs->out == NULL)
		return ENOMEM;
	rs->said = (struct hv_rs_words *)(rs->in + rs->in_bytes);
	rs->saying = (struct hv_rs_words *)(rs->out + rs->out_bytes);
	rs->in_mr = ibv_reg_mr(rs->id->pd, rs->in, rs->in_bytes + sizeof(*rs->said),
			       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	if (rs->in_mr == NULL)
		return errno;
	rs->out_mr = ibv_reg_mr(rs->id->pd, rs->out, rs->out_bytes + sizeof(*rs->saying), IBV_ACCESS_LOCAL_WRITE);
	return rs->out_mr == NULL ? errno : 0;
}

static int create_queues(struct hv_rs *rs)
{
	const uint32_t places = HV_RS_MESSAGES + HV_RS_CONTROLS;
	struct ibv_qp_init_attr attributes = {
		.cap = {.max_send_wr = places, .max_recv_wr = places, .max_send_sge = 1, .max_recv_sge = 1},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};

	rs->completions = ibv_create_comp_channel(rs->id->verbs);
	if (rs->completions == NULL)
		return errno;
	fcntl(rs->completions->fd, F_SETFL, O_NONBLOCK);
	rs->cq = ibv_create_cq(rs->id->verbs, 2 * places, rs, rs->completions, 0);
	if (rs->cq == NULL)
		return errno;
	attributes.send_cq = rs->cq;
	attributes.recv_cq = rs->cq;
	return rdma_create_qp(rs->id, rs->id->pd, &attributes) == 0 ? 0 : errno;
}

int hv_rs_prepare(struct hv_rs *rs)
{
	int error = create_queues(rs);

	if (error == 0)
		error = register_rings(rs);
	if (error == 0)
		error = hv_rs_post_receives(rs);
	if (error != 0)
		hv_rs_release(rs);
	return error;
}

void hv_rs_release(struct hv_rs *rs)
{
	if (rs->id->qp != NULL)
		rdma_destroy_qp(rs->id);
	for (uint32_t i = 0; i < HV_RS_MAX_IOMAPS; i++) {
		if (rs->mappings[i].mr != NULL)
			ibv_dereg_mr(rs->mappings[i].mr);
		rs->mappings[i] = (struct hv_rs_mapping){0};
	}
	if (rs->in_mr != NULL)
		ibv_dereg_mr(rs->in_mr);
	if (rs->out_mr != NULL)
		ibv_dereg_mr(rs->out_mr);
	if (rs->cq != NULL) {
		ibv_ack_cq_events(rs->cq, rs->unacknowledged);
		ibv_destroy_cq(rs->cq);
	}
	if (rs->completions != NULL)
		ibv_destroy_comp_channel(rs->completions);
	unmap(rs->in, rs->in_bytes);
	unmap(rs->out, rs->out_bytes);
	rs->in_mr = NULL;
	rs->out_mr = NULL;
	rs->cq = NULL;
	rs->completions = NULL;
	rs->in = NULL;
	rs->out = NULL;
}

struct hv_rs_hello hv_rs_say_hello(const struct hv_rs *rs)
{
	return (struct hv_rs_hello){
		.version = HV_RS_HELLO_VERSION,
		.iomaps = rs->iomap_room,
		.rkey = rs->in_mr->rkey,
		.ring = (uintptr_t)rs->in,
		.ring_bytes = rs->in_bytes,
		.messages = HV_RS_MESSAGES,
	};
}

// A peer may say what it likes: no more follows from it than where this side writes.
int hv_rs_take_hello(struct hv_rs *rs, const struct rdma_conn_param *said)
{
	if (said->private_data == NULL || said->private_data_len < sizeof(rs->peer))
		return EPROTO;
	memcpy(&rs->peer, said->private_data, sizeof(rs->peer));
	if (rs->peer.version != HV_RS_HELLO_VERSION || rs->peer.ring_bytes < HV_RS_MIN_RING_BYTES
	    || rs->peer.ring_bytes > HV_RS_MAX_RING_BYTES || (rs->peer.ring_bytes & (rs->peer.ring_bytes - 1)) != 0
	    || rs->peer.messages == 0 || rs->peer.messages > HV_RS_MESSAGES || rs->peer.iomaps > HV_RS_MAX_IOMAPS)
		return EPROTO;
	return 0;
}
