// Endpoints: ids that were resolved, with a queue pair, and whose calls wait for their event.
#include <stdlib.h>

#include "cm.h"

#define RESOLVE_MS 2000

static int remember(struct hv_cm_id *id, const struct rdma_addrinfo *info, struct ibv_pd *pd,
		    const struct ibv_qp_init_attr *attributes)
{
	if (attributes != NULL) {
		id->qp_attributes = malloc(sizeof(*attributes));
		if (id->qp_attributes == NULL)
			return -1;
		*id->qp_attributes = *attributes;
		id->qp_attributes->qp_type = (enum ibv_qp_type)info->ai_qp_type;
	}
	if (pd != NULL)
		id->id.pd = pd;
	return 0;
}

static int keep_connect_data(struct hv_cm_id *id, const struct rdma_addrinfo *info)
{
	if (info->ai_connect_len == 0)
		return 0;
	if (info->ai_connect_len > UINT8_MAX)
		return hv_cm_answer(EINVAL);
	id->connect_data = malloc(info->ai_connect_len);
	if (id->connect_data == NULL)
		return -1;
	memcpy(id->connect_data, info->ai_connect, info->ai_connect_len);
	id->connect_data_length = (uint8_t)info->ai_connect_len;
	return 0;
}

static int reach(struct rdma_cm_id *id, struct rdma_addrinfo *info, struct ibv_pd *pd,
		 struct ibv_qp_init_attr *attributes)
{
	if (rdma_resolve_addr(id, info->ai_src_addr, info->ai_dst_addr, RESOLVE_MS) != 0
	    || rdma_resolve_route(id, RESOLVE_MS) != 0)
		return -1;
	if (attributes != NULL) {
		attributes->qp_type = (enum ibv_qp_type)info->ai_qp_type;
		if (rdma_create_qp(id, pd, attributes) != 0)
			return -1;
	}
	return keep_connect_data(hv_cm_id(id), info);
}

int rdma_create_ep(struct rdma_cm_id **made, struct rdma_addrinfo *info, struct ibv_pd *pd,
		   struct ibv_qp_init_attr *attributes)
{
	struct rdma_cm_id *id;
	int result;
	int error;

	if (rdma_create_id(NULL, &id, NULL, (enum rdma_port_space)info->ai_port_space) != 0)
		return -1;
	if ((info->ai_flags & RAI_PASSIVE) != 0) {
		result = rdma_bind_addr(id, info->ai_src_addr);
		if (result == 0)
			result = remember(hv_cm_id(id), info, pd, attributes);
	} else {
		result = reach(id, info, pd, attributes);
	}
	if (result != 0) {
		error = errno;
		rdma_destroy_ep(id);
		return hv_cm_answer(error);
	}
	*made = id;
	return 0;
}

void rdma_destroy_ep(struct rdma_cm_id *id)
{
	if (id->qp != NULL)
		rdma_destroy_qp(id);
	if (id->srq != NULL)
		rdma_destroy_srq(id);
	rdma_destroy_id(id);
}

// The connection of a call that a listening endpoint got.
static int prepare(struct hv_cm_id *listener, struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr attributes;

	if (listener->qp_attributes != NULL) {
		attributes = *listener->qp_attributes;
		if (rdma_create_qp(id, listener->id.pd, &attributes) != 0)
			return -1;
	}
	return rdma_migrate_id(id, NULL);
}

int rdma_get_request(struct rdma_cm_id *rdma, struct rdma_cm_id **called)
{
	struct hv_cm_id *listener = hv_cm_id(rdma);
	struct rdma_cm_event *event;
	int error = 0;

	if (!listener->is_sync)
		return hv_cm_answer(EPERM);
	if (rdma->event != NULL) {
		rdma_ack_cm_event(rdma->event);
		rdma->event = NULL;
	}
	if (rdma_get_cm_event(rdma->channel, &event) != 0)
		return -1;
	if (event->event != RDMA_CM_EVENT_CONNECT_REQUEST)
		error = EINVAL;
	else if (prepare(listener, event->id) != 0)
		error = errno;
	if (error != 0) {
		if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
			rdma_destroy_ep(event->id);
		rdma_ack_cm_event(event);
		return hv_cm_answer(error);
	}
	*called = event->id;
	event->id->event = event;
	return 0;
}
