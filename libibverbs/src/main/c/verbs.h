// What the parts of libibverbs.so.1 know of each other: its objects behind those of <infiniband/verbs.h>.
#ifndef HV_VERBS_H
#define HV_VERBS_H

// What that header declares is what the library exports.
#pragma GCC visibility push(default)
#include <infiniband/verbs.h>
#pragma GCC visibility pop

#include <endian.h>
#include <stdbool.h>

#include "channel.h"
#include "hv_constants.h"
#include "lock.h"
#include "rings.h"

// Declared as macros too.
#undef ibv_reg_mr
#undef ibv_reg_mr_iova
#undef ibv_query_port
#undef ibv_get_device_list

#define HV_EXPORT __attribute__((visibility("default")))

// QPNs have 24 bits: two levels of tables find their queue pairs.
#define HV_TABLE_BITS 12
#define HV_TABLE_ENTRIES (1 << HV_TABLE_BITS)

#define HV_MAX_ASYNCS 1024

struct hv_device {
	struct ibv_device device;
	bool is_known; // attributes below
	struct ibv_device_attr attributes;
	char board_id[64];
	uint32_t completion_vectors;
	uint32_t max_inline;
};

struct hv_context;

// Takes the events of one of the two rings of a context's page, in a thread of its own.
struct hv_event_taker {
	struct hv_context *context;
	uint32_t offset; // of the ring in the page
	uint32_t entries;
	void (*take)(struct hv_context *context, uint32_t entry);
	pthread_t thread;
	bool is_running;
	bool stop;
	bool has_ended;
};

struct hv_context {
	struct hv_context *next; // of all that are open
	uint64_t handle;
	uint8_t *uar;
	const uint8_t *status;
	uint32_t woken_for;
	struct hv_event_taker completions;
	struct hv_event_taker asyncs;
	struct hv_qp **queue_pairs[HV_TABLE_ENTRIES];
	pthread_mutex_t events; // guards what follows, and what objects say of events
	struct hv_cq *queues[HV_UAR_SLOTS]; // those with a channel, by doorbell slot
	struct hv_cq *first_cq;
	struct hv_srq *first_srq;
	struct ibv_async_event pending[HV_MAX_ASYNCS];
	uint32_t first_pending;
	uint32_t end_pending;
	struct verbs_context verbs; // last: the program's context is at its end
};

// An ibv_pd may be a parent domain, which has the handle of its parent.
struct hv_pd {
	struct ibv_pd pd;
	uint64_t handle;
	struct hv_pd *parent;
	uint32_t children;
};

struct hv_mr {
	struct ibv_mr mr;
	uint64_t handle;
};

struct hv_mw {
	struct ibv_mw mw;
	uint64_t handle;
};

struct hv_ah {
	struct ibv_ah ah;
	uint64_t handle;
	uint32_t number;
};

struct hv_xrcd {
	struct ibv_xrcd xrcd;
	uint64_t handle; // a PD of the HCA
	struct hv_cq *idle; // for targets: nothing completes there
};

struct hv_channel {
	struct ibv_comp_channel channel;
	struct hv_cq *first; // queues whose event nobody took, each once
	struct hv_cq *last;
};

struct hv_cq {
	struct ibv_cq_ex cq; // begins like an ibv_cq
	uint64_t handle;
	uint32_t number;
	uint32_t slot;
	struct hv_ring ring;
	struct hv_lock polling;
	uint32_t consumer;
	uint32_t arm_number;
	uint32_t mask;
	uint32_t empty_polls;
	const uint8_t *current; // while start_poll to end_poll
	uint32_t events_taken;
	uint32_t asyncs_taken;
	bool is_pending;
	struct hv_cq *next_pending;
	struct hv_cq *next;
};

struct hv_srq {
	struct ibv_srq srq;
	uint64_t handle;
	uint32_t number;
	struct hv_ring ring;
	struct hv_lock posting;
	uint32_t entries;
	uint32_t stride;
	uint32_t max_sge;
	uint32_t producer;
	uint32_t asyncs_taken;
	struct hv_srq *next;
};

// A send or receive queue: the driver's end.
struct hv_queue {
	struct hv_lock posting;
	uint32_t entries; // a power of two, or 0
	uint32_t stride;
	uint32_t offset; // of the first entry in the ring memory
	uint32_t producer;
	_Atomic uint32_t head;
	uint32_t max_sge;
};

struct hv_qp {
	struct ibv_qp_ex qp; // begins with an ibv_qp
	uint64_t handle;
	uint32_t slot;
	struct hv_cq *send_cq;
	struct hv_cq *receive_cq;
	struct hv_ring ring;
	struct hv_queue sends;
	struct hv_queue receives;
	uint32_t max_inline;
	bool all_signalled;
	bool has_receives;
	_Atomic int state;
	// The HCA wrote completions before these indexes of their queues before the last RESET.
	bool has_stale;
	uint32_t stale_sends_before;
	uint32_t stale_receives_before;
	uint32_t asyncs_taken;
	// The batch between wr_start and wr_complete.
	uint8_t *wqe;
	uint32_t batch;
	int batch_error;
};

static inline struct hv_context *hv_context(struct ibv_context *context)
{
	return (struct hv_context *)((char *)context - offsetof(struct hv_context, verbs.context));
}

static inline struct hv_cq *hv_cq(struct ibv_cq *cq)
{
	return (struct hv_cq *)cq;
}

static inline struct hv_qp *hv_qp(struct ibv_qp *qp)
{
	return (struct hv_qp *)qp;
}

static inline struct hv_pd *hv_pd(struct ibv_pd *pd)
{
	return (struct hv_pd *)pd;
}

static inline struct hv_srq *hv_srq(struct ibv_srq *srq)
{
	return (struct hv_srq *)srq;
}

// For functions that answer NULL, or -1.
static inline void *hv_null(int error)
{
	errno = error;
	return NULL;
}

// device.c, attributes.c
int hv_learn_device(struct hv_device *device, uint64_t context);
int hv_query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		       struct ibv_device_attr_ex *attributes, size_t size);
int hv_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attributes, size_t size);

// context.c
void hv_each_context(void (*visit)(struct hv_context *context));

// domain.c
struct ibv_pd *hv_alloc_parent_domain(struct ibv_context *context, struct ibv_parent_domain_init_attr *attributes);
struct ibv_td *hv_alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attributes);
int hv_dealloc_td(struct ibv_td *td);
struct ibv_xrcd *hv_open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attributes);
int hv_close_xrcd(struct ibv_xrcd *xrcd);

// window.c
struct ibv_mw *hv_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
int hv_dealloc_mw(struct ibv_mw *mw);
int hv_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);

// cq.c, poll.c
struct hv_cq *hv_create_cq(struct hv_context *context, uint32_t entries, struct ibv_comp_channel *channel);
int hv_destroy_cq(struct hv_cq *cq);
struct ibv_cq_ex *hv_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attributes);
int hv_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attributes);
int hv_poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *completions);
int hv_req_notify_cq(struct ibv_cq *cq, int solicited_only);
void hv_fill_poll_ops(struct hv_cq *cq);
// Index after the last completion that is there; under the queue's lock.
uint32_t hv_cq_arrived(const struct hv_cq *cq);

// srq.c
struct ibv_srq *hv_create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attributes);
int hv_get_srq_num(struct ibv_srq *srq, uint32_t *number);

// qp.c, modify.c
struct ibv_qp *hv_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attributes);
struct hv_qp *hv_find_qp(struct hv_context *context, uint32_t qpn);

// post.c, work.c
int hv_post_send(struct ibv_qp *qp, struct ibv_send_wr *request, struct ibv_send_wr **bad);
int hv_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *request, struct ibv_recv_wr **bad);
int hv_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *request, struct ibv_recv_wr **bad);
void hv_fill_work_ops(struct hv_qp *qp);

// events.c
int hv_start_events(struct hv_context *context);
void hv_stop_events(struct hv_context *context);
// From now on events of the queue go to its channel, until it is destroyed.
int hv_listen(struct hv_cq *cq);
// Drops events nobody took, and waits until those taken are acknowledged.
void hv_end_cq_events(struct hv_cq *cq);
void hv_end_qp_events(struct hv_qp *qp);
void hv_end_srq_events(struct hv_srq *srq);

#endif
