// What the parts of librdmacm.so.1 know of each other: its objects behind those of <rdma/rdma_cma.h>.
//
// A process has one channel of the guest's connection manager. A thread takes the events from it and gives each to the
// event channel of its id: so ids can move between event channels, and an event channel's descriptor counts what can
// be got from it. Queue pairs are moved in the thread that gets an event.
#ifndef HV_CM_H
#define HV_CM_H

// What that header declares is what the library exports.
#pragma GCC visibility push(default)
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#pragma GCC visibility pop

#include "../verbs.h"

// The largest private data of any message of the connection manager.
#define HV_CM_DATA_BYTES 256

// A code: 4.096 us x 2^n.
#define HV_CM_MAX_ACK_TIMEOUT 31

// A queue pair as one side describes it to the other.
struct hv_cm_offer {
	uint32_t type;
	uint32_t qpn;
	uint32_t psn;
	uint8_t responder_resources;
	uint8_t initiator_depth;
	uint8_t retry_count;
	uint8_t rnr_retry_count;
	uint8_t ack_timeout;
	uint32_t qkey; // of datagrams
};

struct hv_cm_path {
	union ibv_gid source;
	union ibv_gid destination;
	uint16_t source_lid;
	uint16_t destination_lid;
	uint16_t pkey;
	uint8_t service_level;
	uint8_t packet_life_time;
	uint32_t mtu_bytes;
	bool reversible;
};

// A multicast group that an id is in.
struct hv_cm_group {
	struct hv_cm_group *next;
	struct in_addr address;
	union ibv_gid gid;
	uint16_t lid;
	uint64_t membership; // a handle
	bool is_attached; // the id's queue pair
};

struct hv_cm_id {
	struct rdma_cm_id id; // first: the program's
	struct hv_cm_id *next; // of all that are not destroyed
	bool is_sync; // its channel is its own, and calls wait for their event
	bool is_called;
	bool is_bound;
	bool reuses_address;
	uint64_t service_id;
	uint64_t connection; // handles; 0: none
	uint64_t listener;
	struct hv_cm_path path;
	struct hv_cm_offer own;
	struct hv_cm_offer peer; // once there is one
	bool has_peer;
	struct hv_cm_group *groups;
	uint8_t ack_timeout; // the program's; 0: by the path
	uint32_t events_taken;
	uint32_t events_acked;
	// Of an endpoint: what its connections are made with.
	struct ibv_qp_init_attr *qp_attributes;
	void *connect_data;
	uint8_t connect_data_length;
};

struct hv_cm_event {
	struct rdma_cm_event event; // first: the program's
	struct hv_cm_event *next;
	struct hv_cm_id *counted; // is not destroyed before this is acknowledged
	struct hv_cm_offer offer;
	uint8_t data[HV_CM_DATA_BYTES];
};

struct hv_cm_channel {
	struct rdma_event_channel channel; // first; a semaphore that counts the events
	struct hv_cm_event *first;
	struct hv_cm_event *last;
};

// An event as the connection manager tells it.
struct hv_cm_notice {
	enum rdma_cm_event_type type;
	uint64_t connection;
	uint64_t service_id;
	uint32_t status;
	uint32_t reject;
	struct hv_cm_offer offer;
	struct hv_cm_path path;
	struct hv_pb_in data;
};

// A process has one of these.
struct hv_cm {
	pthread_mutex_t opening;
	bool is_open;
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_device_attr attributes;
	char domain[HV_DOMAIN_BYTES]; // name of the guest
	uint64_t channel;
	int bell; // readable when the channel has events
	pthread_mutex_t lock; // guards what follows, queues of events, and counts of ids
	pthread_cond_t acked;
	struct hv_cm_id *first;
};

extern struct hv_cm hv_cm;

static inline struct hv_cm_id *hv_cm_id(struct rdma_cm_id *id)
{
	return (struct hv_cm_id *)id;
}

// Whether it has datagrams: it asks where a service takes them (SIDR) instead of connecting.
static inline bool hv_cm_is_datagram(const struct hv_cm_id *id)
{
	return id->id.qp_type == IBV_QPT_UD;
}

// The answer of a function of <rdma/rdma_cma.h>.
static inline int hv_cm_answer(int error)
{
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

// pool.c: zeroed memory for an id or an event; NULL if there is none. Any thread.
void *hv_cm_take_block(void);
void hv_cm_give_block(void *taken);

// manager.c
// Connects to the connection manager if that has not been done. 0, or an errno.
int hv_cm_open(void);
// The id belongs to the device from now on.
void hv_cm_give_device(struct hv_cm_id *id);

// calls.c: requests to the connection manager; each 0 or an errno.
int hv_cm_create_channel(uint64_t context, uint64_t *channel, int *bell);
int hv_cm_listen(uint64_t channel, uint64_t service_id, int backlog, uint64_t *listener);
int hv_cm_resolve(uint64_t channel, const char *guest, uint64_t *connection, struct hv_cm_path *path);
int hv_cm_connect(const struct hv_cm_id *id, const void *data, size_t length);
int hv_cm_accept(const struct hv_cm_id *id, const void *data, size_t length);
int hv_cm_answer_with(uint64_t connection, uint32_t kind, const void *data, size_t length);
int hv_cm_join(uint64_t context, const union ibv_gid *gid, uint32_t qkey, uint64_t *membership, uint16_t *lid);
int hv_cm_release(uint64_t handle);
// Takes the next events; `each` is called for every one, whose data is gone afterwards.
int hv_cm_take(uint64_t channel, void (*each)(const struct hv_cm_notice *notice), bool *more);

// id.c
struct hv_cm_id *hv_cm_new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space space,
			      enum ibv_qp_type type);
// Waits for the event that answers the call, if the id is synchronous.
int hv_cm_complete(struct hv_cm_id *id);

// events.c; these under the lock
struct hv_cm_event *hv_cm_new_event(struct hv_cm_id *id, enum rdma_cm_event_type type, int status);
void hv_cm_post(struct hv_cm_event *event);
void hv_cm_arrived(const struct hv_cm_notice *notice);
// Events of the id that nobody has got leave its channel; those that brought calls of a listener too.
struct hv_cm_event *hv_cm_take_out(struct hv_cm_id *id);
// not under it: an event that the library itself makes.
int hv_cm_say(struct hv_cm_id *id, enum rdma_cm_event_type type, int status);

// address.c
// Bytes at the begin of a call's private data: who calls whom, by address (IBA annex A11).
#define HV_CM_HEADER_BYTES 36
void hv_cm_write_header(const struct hv_cm_id *id, uint8_t header[HV_CM_HEADER_BYTES]);
bool hv_cm_read_header(struct hv_cm_id *id, const struct hv_pb_in *data, uint64_t service_id);

// The address of IPv4; false for one that no guest has.
bool hv_cm_ipv4(const struct sockaddr *address, struct in_addr *found);

// multicast.c
union ibv_gid hv_cm_group_gid(struct in_addr address);
// The groups that the id is still in; its queue pair leaves them as it ends.
void hv_cm_leave_all(struct hv_cm_id *id);
// The id's queue pair is about to end.
void hv_cm_detach_all(struct hv_cm_id *id);

// transitions.c
enum ibv_mtu hv_cm_mtu(uint32_t bytes);
struct ibv_ah_attr hv_cm_address(const struct hv_cm_path *path);
int hv_cm_to_init(struct hv_cm_id *id);
int hv_cm_to_rts(struct hv_cm_id *id);
// Of datagrams: ready for them from the start.
int hv_cm_datagrams_to_rts(struct hv_cm_id *id);
void hv_cm_to_error(struct hv_cm_id *id);

#endif
