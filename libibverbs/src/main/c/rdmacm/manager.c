// The process's end of the connection manager, and the thread that takes events from it.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cm.h"

_Static_assert((int)HV_CM_EVENT_TYPE_CONNECT_REQUEST == RDMA_CM_EVENT_CONNECT_REQUEST
		       && (int)HV_CM_EVENT_TYPE_CONNECT_RESPONSE == RDMA_CM_EVENT_CONNECT_RESPONSE
		       && (int)HV_CM_EVENT_TYPE_UNREACHABLE == RDMA_CM_EVENT_UNREACHABLE
		       && (int)HV_CM_EVENT_TYPE_ESTABLISHED == RDMA_CM_EVENT_ESTABLISHED
		       && (int)HV_CM_EVENT_TYPE_DISCONNECTED == RDMA_CM_EVENT_DISCONNECTED
		       && (int)HV_CM_EVENT_TYPE_TIMEWAIT_EXIT == RDMA_CM_EVENT_TIMEWAIT_EXIT,
	       "codes are those of rdma_cma.h");

#define RINGS 64

struct hv_cm hv_cm = {
	.opening = PTHREAD_MUTEX_INITIALIZER,
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.acked = PTHREAD_COND_INITIALIZER,
};

static void *take_events(void *argument)
{
	char rings[RINGS];
	bool more;

	(void)argument;
	for (;;) {
		ssize_t got = read(hv_cm.bell, rings, sizeof(rings));

		if (got < 0 && errno == EINTR)
			continue;
		// Its end: there is no driver any more, and so no event.
		if (got <= 0)
			return NULL;
		do {
			if (hv_cm_take(hv_cm.channel, hv_cm_arrived, &more) != 0)
				return NULL;
		} while (more);
	}
}

// A signal is for the program's threads.
static int start_taker(void)
{
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, take_events, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error == 0)
		pthread_detach(thread);
	return error;
}

static int open_device(void)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	int error = 0;

	if (devices == NULL)
		return errno;
	if (devices[0] == NULL) {
		error = ENODEV;
	} else {
		hv_cm.context = ibv_open_device(devices[0]);
		if (hv_cm.context == NULL)
			error = errno;
	}
	ibv_free_device_list(devices);
	if (error == 0)
		error = ibv_query_device(hv_cm.context, &hv_cm.attributes);
	return error;
}

static int open_channel(void)
{
	struct hv_program *program = hv_the_program();
	int error;

	if (program == NULL)
		return errno;
	memcpy(hv_cm.domain, program->domain, sizeof(hv_cm.domain));
	error = hv_cm_create_channel(hv_context(hv_cm.context)->handle, &hv_cm.channel, &hv_cm.bell);
	if (error != 0)
		return error;
	error = start_taker();
	if (error != 0)
		close(hv_cm.bell);
	return error;
}

int hv_cm_open(void)
{
	int error = 0;

	pthread_mutex_lock(&hv_cm.opening);
	if (!hv_cm.is_open) {
		// A device that is open already is left from a try that went no further.
		if (hv_cm.context == NULL)
			error = open_device();
		if (error == 0 && hv_cm.pd == NULL) {
			hv_cm.pd = ibv_alloc_pd(hv_cm.context);
			error = hv_cm.pd == NULL ? errno : 0;
		}
		if (error == 0)
			error = open_channel();
		hv_cm.is_open = error == 0;
	}
	pthread_mutex_unlock(&hv_cm.opening);
	return error;
}

void hv_cm_give_device(struct hv_cm_id *id)
{
	id->id.verbs = hv_cm.context;
	id->id.port_num = 1;
	if (id->id.pd == NULL)
		id->id.pd = hv_cm.pd;
}

struct ibv_context **rdma_get_devices(int *count)
{
	struct ibv_context **devices;
	int error = hv_cm_open();

	if (error != 0)
		return hv_null(error);
	devices = calloc(2, sizeof(*devices));
	if (devices == NULL)
		return hv_null(ENOMEM);
	devices[0] = hv_cm.context;
	if (count != NULL)
		*count = 1;
	return devices;
}

void rdma_free_devices(struct ibv_context **devices)
{
	free(devices);
}
