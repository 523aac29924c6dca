// Makes objects of each kind, uses them and destroys them, again and again until a file is there.
// usage: restless FILE
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BYTES 65536

// Between two rounds: others want the cores too.
#define PAUSE_MICROS 2000

static void needs(int is_there, const char *what)
{
	if (!is_there) {
		perror(what);
		exit(1);
	}
}

static void send_to_itself(struct ibv_qp *qp, struct ibv_ah *ah, struct ibv_mr *region, struct ibv_cq *cq)
{
	struct ibv_sge part = {(uintptr_t)region->addr, 512, region->lkey};
	struct ibv_recv_wr receive = {.sg_list = &part, .num_sge = 1};
	struct ibv_sge other = {(uintptr_t)region->addr + 1024, 64, region->lkey};
	struct ibv_send_wr send = {.sg_list = &other, .num_sge = 1, .opcode = IBV_WR_SEND,
				   .send_flags = IBV_SEND_SIGNALED};
	struct ibv_recv_wr *bad_receive;
	struct ibv_send_wr *bad_send;
	struct ibv_wc done;
	int count = 0;

	send.wr.ud.ah = ah;
	send.wr.ud.remote_qpn = qp->qp_num;
	send.wr.ud.remote_qkey = 7;
	needs(ibv_post_recv(qp, &receive, &bad_receive) == 0, "post_recv");
	needs(ibv_post_send(qp, &send, &bad_send) == 0, "post_send");
	while (count < 2)
		count += ibv_poll_cq(cq, 1, &done);
}

static void use(struct ibv_context *context)
{
	struct ibv_pd *pd = ibv_alloc_pd(context);
	void *memory = malloc(BYTES);
	struct ibv_mr *region = ibv_reg_mr(pd, memory, BYTES, IBV_ACCESS_LOCAL_WRITE);
	struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
	struct ibv_cq *cq = ibv_create_cq(context, 64, NULL, channel, 0);
	struct ibv_srq_init_attr of_srq = {.attr = {.max_wr = 16, .max_sge = 1}};
	struct ibv_srq *srq = ibv_create_srq(pd, &of_srq);
	struct ibv_qp_init_attr of_qp = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_UD,
					 .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1,
						 .max_recv_sge = 1}};
	struct ibv_qp *qp = ibv_create_qp(pd, &of_qp);
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = 7};
	struct ibv_qp_attr ready = {.qp_state = IBV_QPS_RTR};
	struct ibv_port_attr port;
	struct ibv_ah_attr of_ah = {.port_num = 1};
	struct ibv_ah *ah;

	needs(region != NULL && srq != NULL && qp != NULL, "objects");
	needs(ibv_query_port(context, 1, &port) == 0, "query_port");
	of_ah.dlid = port.lid;
	ah = ibv_create_ah(pd, &of_ah);
	needs(ah != NULL, "create_ah");
	needs(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY) == 0, "INIT");
	needs(ibv_modify_qp(qp, &ready, IBV_QP_STATE) == 0, "RTR");
	ready.qp_state = IBV_QPS_RTS;
	needs(ibv_modify_qp(qp, &ready, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0, "RTS");
	for (int i = 0; i < 10; i++)
		send_to_itself(qp, ah, region, cq);
	needs(ibv_destroy_ah(ah) == 0 && ibv_destroy_qp(qp) == 0 && ibv_destroy_srq(srq) == 0
		      && ibv_destroy_cq(cq) == 0 && ibv_destroy_comp_channel(channel) == 0
		      && ibv_dereg_mr(region) == 0 && ibv_dealloc_pd(pd) == 0,
	      "destroy");
	free(memory);
}

int main(int count, char **words)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);

	needs(count == 2 && devices != NULL && devices[0] != NULL, "devices");
	for (int i = 0; access(words[1], F_OK) != 0; i++) {
		struct ibv_context *context = ibv_open_device(devices[0]);

		needs(context != NULL, "open");
		use(context);
		needs(ibv_close_device(context) == 0, "close");
		if (i == 0) {
			puts("used");
			fflush(stdout);
		}
		usleep(PAUSE_MICROS);
	}
	return 0;
}
