// Sockets over RDMA: the calls of <rdma/rsocket.h>, for streams.
//
// A connection is a reliable queue pair. Each side has a ring, into which its peer writes by RDMA WRITE with immediate
// data: a byte of the stream is at its number modulo the ring's length, and no write goes over the ring's end. The
// immediate data says what came (a kind in the upper 3 bits) and of how many bytes. The receiver tells what it has
// read, and how many writes it has taken, by writing a credit into its peer's memory.
//
//   writer                                   reader
//     copy to its out ring
//     WRITE into the peer's ring, DATA n -->   in_written += n
//                                              program reads: in_read += n
//     remote_read = credit.bytes         <--   WRITE of the credit, CREDIT
//     FIN                                -->   end of the stream
//
// A socket's number is a descriptor of its own, on which nothing ever happens; librspreload.so knows sockets by it.
#ifndef HV_RSOCKET_H
#define HV_RSOCKET_H

#include <fcntl.h>
#include <poll.h>

#include "../rdmacm/cm.h"

#pragma GCC visibility push(default)
#include <rdma/rsocket.h>
#pragma GCC visibility pop

// Bytes of a ring, unless the program says otherwise; and bounds for what it says.
#define HV_RS_RING_BYTES (128 * 1024)
#define HV_RS_MIN_RING_BYTES 4096
#define HV_RS_MAX_RING_BYTES (4 * 1024 * 1024)

// Writes that a side may have in its peer's receive queue, and places for what the stream says itself.
#define HV_RS_MESSAGES 64
#define HV_RS_CONTROLS 8

// Bytes of a write: less than a ring, so that the next is copied while one is on its way.
#define HV_RS_CHUNK_BYTES (32 * 1024)

#define HV_RS_MAX_IOMAPS 128

enum hv_rs_kind {
	HV_RS_DATA,
	HV_RS_CREDIT,
	HV_RS_FIN,
	HV_RS_IOMAP,
};

#define HV_RS_KIND_SHIFT 29
#define HV_RS_LENGTH_MASK ((1u << HV_RS_KIND_SHIFT) - 1)

// What one side may have of the other: counts modulo 2^32.
struct hv_rs_credit {
	uint32_t bytes;
	uint32_t messages;
};

// Memory that the peer may write to by riowrite. Length 0: none.
struct hv_rs_iomap {
	uint64_t offset; // by which the program names it
	uint64_t address;
	uint32_t rkey;
	uint32_t length;
};

// Behind a ring. Behind the in ring the peer writes it; behind the out ring is what is written to the peer.
struct hv_rs_words {
	struct hv_rs_credit credit;
	struct hv_rs_iomap iomaps[HV_RS_MAX_IOMAPS];
};

// Private data of a call and of its answer: where its sender takes the stream. Little-endian.
#define HV_RS_HELLO_VERSION 1

struct hv_rs_hello {
	uint8_t version;
	uint8_t unused;
	uint16_t iomaps;
	uint32_t rkey;
	uint64_t ring; // the words are behind it
	uint32_t ring_bytes;
	uint32_t messages;
};

_Static_assert(sizeof(struct hv_rs_hello) == 24, "as it is sent");

enum hv_rs_state {
	HV_RS_OPEN,
	HV_RS_LISTENING,
	HV_RS_CONNECTING,
	HV_RS_CONNECTED,
	HV_RS_FAILED, // a connection that did not come about
};

struct hv_rs {
	int number;
	int family;
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	enum hv_rs_state state;
	// Guards all but the state of a listener. Nobody has it while it waits.
	pthread_mutex_t lock;
	pthread_cond_t awoken;
	bool has_sleeper; // a thread waits for events, and tells the others
	int error; // of SO_ERROR, taken by that
	// As the program set them.
	int flags; // O_NONBLOCK
	uint32_t in_bytes;
	uint32_t out_bytes;
	uint16_t iomap_room;
	bool reuses_address;
	int booleans; // a bit for each option that is only remembered
	struct linger linger;
	int receive_ms; // 0: as long as it takes
	int send_ms;
	// Of a connection.
	struct ibv_comp_channel *completions;
	struct ibv_cq *cq;
	struct ibv_mr *in_mr;
	struct ibv_mr *out_mr;
	uint8_t *in;
	uint8_t *out;
	struct hv_rs_words *said; // by the peer, behind the in ring
	struct hv_rs_words *saying;
	uint32_t unacknowledged; // events of the completion channel
	bool is_broken; // the queue pair is in error
	bool is_gone; // the peer has disconnected
	bool has_end; // of the peer's stream
	bool has_ended; // the own stream
	bool reads_no_more;
	uint32_t in_written;
	uint32_t in_read;
	uint32_t in_told;
	uint32_t messages_taken;
	uint32_t messages_told;
	uint32_t out_written;
	uint32_t out_done; // acknowledged by the HCA
	uint32_t messages_sent;
	uint32_t messages_read; // by the peer
	uint32_t remote_written;
	uint32_t remote_read;
	uint32_t sends; // in the send queue
	struct hv_rs_hello peer;
	struct hv_rs_mapping {
		void *address;
		size_t length;
		struct ibv_mr *mr; // NULL: the peer does not write there
		uint64_t offset;
	} mappings[HV_RS_MAX_IOMAPS]; // length 0: none
};

static inline uint32_t hv_rs_available(const struct hv_rs *rs)
{
	return rs->in_written - rs->in_read;
}

// Whether nothing can go to the peer any more.
static inline bool hv_rs_is_over(const struct hv_rs *rs)
{
	return rs->is_broken || rs->is_gone;
}

static inline bool hv_rs_has_ended(const struct hv_rs *rs)
{
	return rs->has_end || rs->reads_no_more || hv_rs_is_over(rs);
}

static inline bool hv_rs_is_nonblocking(const struct hv_rs *rs)
{
	return (rs->flags & O_NONBLOCK) != 0;
}

// table.c: sockets by number.
struct hv_rs *hv_rs_new(int family, struct rdma_event_channel *channel, struct rdma_cm_id *id);
// NULL and EBADF if there is none.
struct hv_rs *hv_rs_find(int number);
// Its number is free again.
void hv_rs_forget(struct hv_rs *rs);

// buffers.c
// Queue pair, completion queue and rings, and receives for the peer's writes. 0, or an errno.
int hv_rs_prepare(struct hv_rs *rs);
void hv_rs_release(struct hv_rs *rs);
struct hv_rs_hello hv_rs_say_hello(const struct hv_rs *rs);
// 0, or EPROTO if it makes no sense.
int hv_rs_take_hello(struct hv_rs *rs, const struct rdma_conn_param *said);

// connect.c
// The socket of that number, locked; NULL and EBADF.
struct hv_rs *hv_rs_lock(int number);
// Unlocks it; the answer of a function of <rdma/rsocket.h>.
int hv_rs_answer(struct hv_rs *rs, int error);
// Takes what the connection manager says. Under the lock.
void hv_rs_take_events(struct hv_rs *rs);

// stream.c; all under the lock
int hv_rs_post_receives(struct hv_rs *rs);
// Takes completions, and tells the peer what it may have.
void hv_rs_progress(struct hv_rs *rs);
// Bytes that can be sent at once.
uint32_t hv_rs_room(const struct hv_rs *rs);
// No more than hv_rs_room says.
void hv_rs_send(struct hv_rs *rs, const uint8_t *bytes, uint32_t length);
void hv_rs_send_end(struct hv_rs *rs);
void hv_rs_tell(struct hv_rs *rs);
// Writes the entry of that index to the peer. False if there is no place in the send queue.
bool hv_rs_send_iomap(struct hv_rs *rs, uint32_t index);
// Writes a copy to the peer's memory outside the stream; no more than hv_rs_room says.
void hv_rs_write(struct hv_rs *rs, const uint8_t *bytes, uint32_t length, uint64_t to, uint32_t rkey);

// Times that a socket is looked at before a thread sleeps: about as long as an answer from the peer takes.
#define HV_RS_LOOKS 200

// wait.c
// Whether what is waited for is there; under the lock.
typedef bool hv_rs_ready(struct hv_rs *rs);
// Under the lock, which is not held while it sleeps. 0, or EINTR, or EAGAIN after `ms` (0: never).
int hv_rs_wait(struct hv_rs *rs, hv_rs_ready *ready, int ms);
// The socket's state as poll says it, of all that can be asked for.
short hv_rs_readiness(struct hv_rs *rs);
// Takes all that has come.
void hv_rs_look(struct hv_rs *rs);
// Asks for events of what comes from now on.
void hv_rs_arm(struct hv_rs *rs);
// Takes the events that were asked for.
void hv_rs_disarm(struct hv_rs *rs);
// Milliseconds on a clock that is never 0; and those from now until then, -1 if `end` is 0: there is none.
int64_t hv_rs_now_ms(void);
int hv_rs_left_ms(int64_t end);
// Rounded up.
int hv_rs_to_ms(const struct timeval *time);

#endif
