// Registers what it has before it maps any memory (data and stack) and lets the HCA write and read there, before and
// after forks. Says so when all bytes are as they are to be.
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALL (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)
#define FAR (256 << 10)

static char with_values[64] = "of the data segment";
static char without_values[3 * 4096 + 100];

// What daemon() and others of the C library fork by.
pid_t __fork(void);

static void needs(int is_so, const char *what)
{
	if (!is_so) {
		fprintf(stderr, "%d: %s: %s\n", (int)getpid(), what, strerror(errno));
		_exit(1);
	}
}

struct connection {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
};

// A queue pair that is connected with itself.
static void connect_to_itself(struct connection *on)
{
	struct ibv_qp_init_attr of_qp = {.send_cq = on->cq, .recv_cq = on->cq, .qp_type = IBV_QPT_RC,
					 .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1,
						 .max_recv_sge = 1}};
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ALL};
	struct ibv_qp_attr ready = {.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .max_dest_rd_atomic = 1,
				    .ah_attr = {.port_num = 1}};
	struct ibv_qp_attr sends = {.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7,
				    .max_rd_atomic = 1};
	struct ibv_port_attr port;

	on->qp = ibv_create_qp(on->pd, &of_qp);
	needs(on->qp != NULL && ibv_query_port(on->context, 1, &port) == 0, "create_qp");
	ready.dest_qp_num = on->qp->qp_num;
	ready.ah_attr.dlid = port.lid;
	needs(ibv_modify_qp(on->qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0
		      && ibv_modify_qp(on->qp, &ready,
				       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
					       | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
				 == 0
		      && ibv_modify_qp(on->qp, &sends,
				       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY
					       | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC)
				 == 0,
	      "modify_qp");
}

static struct connection open_device(void)
{
	struct connection on = {0};
	struct ibv_device **devices = ibv_get_device_list(NULL);

	needs(devices != NULL && devices[0] != NULL, "get_device_list");
	on.context = ibv_open_device(devices[0]);
	needs(on.context != NULL, "open_device");
	on.pd = ibv_alloc_pd(on.context);
	on.cq = ibv_create_cq(on.context, 16, NULL, NULL, 0);
	needs(on.pd != NULL && on.cq != NULL, "create_cq");
	connect_to_itself(&on);
	ibv_free_device_list(devices);
	return on;
}

static void transfer(struct connection *on, enum ibv_wr_opcode opcode, struct ibv_mr *own, struct ibv_mr *other,
		     uint32_t length)
{
	struct ibv_sge part = {(uintptr_t)own->addr, length, own->lkey};
	struct ibv_send_wr request = {.sg_list = &part, .num_sge = 1, .opcode = opcode,
				      .send_flags = IBV_SEND_SIGNALED,
				      .wr.rdma = {(uintptr_t)other->addr, other->rkey}};
	struct ibv_send_wr *bad;
	struct ibv_wc done;
	int count;

	needs(ibv_post_send(on->qp, &request, &bad) == 0, "post_send");
	do
		count = ibv_poll_cq(on->cq, 1, &done);
	while (count == 0);
	needs(count == 1 && done.status == IBV_WC_SUCCESS, "completion");
}

static struct ibv_mr *region_of(struct connection *on, void *address, size_t bytes)
{
	struct ibv_mr *region = ibv_reg_mr(on->pd, address, bytes, ALL);

	needs(region != NULL, "reg_mr");
	return region;
}

// From the data segment to the stack, and from there to another place of the data segment.
static void look(struct connection *on, const char *text)
{
	char near[64] = "";
	char far[FAR];
	struct ibv_mr *of_values = region_of(on, with_values, sizeof(with_values));
	struct ibv_mr *of_none = region_of(on, without_values, sizeof(without_values));
	struct ibv_mr *of_near = region_of(on, near, sizeof(near));
	struct ibv_mr *of_far = region_of(on, far, sizeof(far));

	strcpy(with_values, text);
	memset(far, 0, sizeof(far));
	memset(without_values, 0, sizeof(without_values));
	transfer(on, IBV_WR_RDMA_WRITE, of_values, of_near, sizeof(near));
	needs(strcmp(near, text) == 0, "what was written to the stack");
	memset(far, 'x', sizeof(without_values));
	transfer(on, IBV_WR_RDMA_READ, of_none, of_far, sizeof(without_values));
	needs(memcmp(without_values, far, sizeof(without_values)) == 0, "what was read from the stack");
	needs(ibv_dereg_mr(of_values) == 0 && ibv_dereg_mr(of_none) == 0 && ibv_dereg_mr(of_near) == 0
		      && ibv_dereg_mr(of_far) == 0,
	      "dereg_mr");
}

static void expect_end(pid_t child)
{
	int status = -1;

	needs(child > 0 && waitpid(child, &status, 0) == child, "waitpid");
	needs(WIFEXITED(status) && WEXITSTATUS(status) == 0, "exit code of the child");
}

// A child has copies: what it writes is not its parent's.
static void fork_by(pid_t (*how)(void), const char *text)
{
	char own[64];
	pid_t child;

	strcpy(own, text);
	strcpy(with_values, text);
	child = how();
	if (child == 0) {
		needs(strcmp(own, text) == 0 && strcmp(with_values, text) == 0, "what the child starts with");
		memset(own, 'c', sizeof(own));
		memset(with_values, 'c', sizeof(with_values));
		_exit(0);
	}
	expect_end(child);
	needs(strcmp(own, text) == 0 && strcmp(with_values, text) == 0, "what the parent goes on with");
}

// It asks for the device, so that it has verbs of its own.
static void fork_with_verbs(void)
{
	char own[64] = "of the child";
	pid_t child = fork();

	if (child == 0) {
		struct connection on;

		strcpy(with_values, "of the child");
		on = open_device();
		needs(strcmp(own, "of the child") == 0 && strcmp(with_values, own) == 0, "what the child had");
		look(&on, "in the child");
		_exit(0);
	}
	expect_end(child);
}

// The stack grows below what the HCA reaches, as far as its limit says.
static void use_much_stack(void)
{
	volatile char much[6 << 20];

	for (size_t i = sizeof(much); i > 0; i -= 4096)
		much[i - 1] = 1;
	needs(much[4095] == 1, "stack");
}

static void *of_a_thread(void *argument)
{
	struct connection *on = argument;
	char own[64];

	needs(ibv_reg_mr(on->pd, own, sizeof(own), ALL) == NULL && errno == EFAULT, "stack of a thread");
	return NULL;
}

int main(void)
{
	struct connection on = open_device();
	pthread_t thread;

	needs(strcmp(with_values, "of the data segment") == 0, "values that the file has");
	look(&on, "before a fork");
	use_much_stack();
	fork_by(fork, "while there is one");
	look(&on, "after a fork");
	fork_with_verbs();
	look(&on, "after one that has verbs");
	needs(pthread_create(&thread, NULL, of_a_thread, &on) == 0 && pthread_join(thread, NULL) == 0, "thread");
	// The last, as the stack is the program's alone after it.
	fork_by(__fork, "within the C library");
	needs(ibv_reg_mr(on.pd, &thread, sizeof(thread), ALL) == NULL && errno == EFAULT, "stack after it");
	puts("all bytes as they are to be");
	return 0;
}
