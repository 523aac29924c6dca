// Sockets by number.
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rsocket.h"

#define NUMBERS 65536

static struct hv_rs *sockets[NUMBERS];

struct hv_rs *hv_rs_new(int family, struct rdma_event_channel *channel, struct rdma_cm_id *id)
{
	struct hv_rs *rs = calloc(1, sizeof(*rs));

	if (rs == NULL)
		return NULL;
	rs->number = eventfd(0, EFD_CLOEXEC);
	if (rs->number < 0 || rs->number >= NUMBERS) {
		if (rs->number >= 0)
			close(rs->number);
		free(rs);
		return hv_null(EMFILE);
	}
	rs->family = family;
	rs->channel = channel;
	rs->id = id;
	rs->in_bytes = HV_RS_RING_BYTES;
	rs->out_bytes = HV_RS_RING_BYTES;
	pthread_mutex_init(&rs->lock, NULL);
	pthread_cond_init(&rs->awoken, NULL);
	__atomic_store_n(&sockets[rs->number], rs, __ATOMIC_RELEASE);
	return rs;
}

struct hv_rs *hv_rs_find(int number)
{
	struct hv_rs *rs = NULL;

	if (number >= 0 && number < NUMBERS)
		rs = __atomic_load_n(&sockets[number], __ATOMIC_ACQUIRE);
	return rs == NULL ? hv_null(EBADF) : rs;
}

void hv_rs_forget(struct hv_rs *rs)
{
	__atomic_store_n(&sockets[rs->number], NULL, __ATOMIC_RELEASE);
	close(rs->number);
	pthread_mutex_destroy(&rs->lock);
	pthread_cond_destroy(&rs->awoken);
	free(rs);
}
