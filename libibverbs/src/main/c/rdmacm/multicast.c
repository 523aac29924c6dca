// Multicast groups: an address of IPv4 stands for the GID that IP over InfiniBand gives it, marked as rdma_cm's.
#include "cm.h"

#define GROUP_QPN 0xffffff

// GID of a group, ff12:4001:pkey::address: flags and scope, what the address is of, P_Key, and 28 bits of the address.
#define GID_MULTICAST 0xff
#define GID_LINK_LOCAL 0x12
#define GID_IPV4 0x40
#define GID_RDMA_CM 0x01
#define GID_PKEY 4
#define GID_ADDRESS 12
#define ADDRESS_BITS 0x0fffffff
#define FULL_PKEY 0x8000

union ibv_gid hv_cm_group_gid(struct in_addr address)
{
	union ibv_gid gid = {.raw = {GID_MULTICAST, GID_LINK_LOCAL, GID_IPV4, GID_RDMA_CM}};
	uint32_t group = htobe32(ntohl(address.s_addr) & ADDRESS_BITS);
	__be16 pkey = 0;

	ibv_query_pkey(hv_cm.context, 1, 0, &pkey);
	pkey |= htobe16(FULL_PKEY);
	memcpy(&gid.raw[GID_PKEY], &pkey, sizeof(pkey));
	memcpy(&gid.raw[GID_ADDRESS], &group, sizeof(group));
	return gid;
}

static int tell(struct hv_cm_id *id, const struct hv_cm_group *group, void *context)
{
	struct hv_cm_event *event = hv_cm_new_event(id, RDMA_CM_EVENT_MULTICAST_JOIN, 0);
	struct rdma_ud_param *ud;

	if (event == NULL)
		return ENOMEM;
	ud = &event->event.param.ud;
	ud->private_data = context;
	ud->qp_num = GROUP_QPN;
	ud->qkey = RDMA_UDP_QKEY;
	ud->ah_attr = (struct ibv_ah_attr){.dlid = group->lid, .is_global = 1, .port_num = 1};
	ud->ah_attr.grh.dgid = group->gid;
	pthread_mutex_lock(&hv_cm.lock);
	hv_cm_post(event);
	pthread_mutex_unlock(&hv_cm.lock);
	return 0;
}

static int attach(struct hv_cm_id *id, struct hv_cm_group *group)
{
	int error = id->id.qp == NULL ? 0 : ibv_attach_mcast(id->id.qp, &group->gid, group->lid);

	group->is_attached = error == 0 && id->id.qp != NULL;
	return error;
}

static void leave(struct hv_cm_id *id, struct hv_cm_group *group)
{
	if (group->is_attached && id->id.qp != NULL)
		ibv_detach_mcast(id->id.qp, &group->gid, group->lid);
	hv_cm_release(group->membership);
	hv_cm_give_block(group);
}

static struct hv_cm_group **find(struct hv_cm_id *id, struct in_addr address)
{
	struct hv_cm_group **link = &id->groups;

	while (*link != NULL && (*link)->address.s_addr != address.s_addr)
		link = &(*link)->next;
	return link;
}

static int join(struct hv_cm_id *id, const struct sockaddr *address, void *context)
{
	struct hv_cm_group *group;
	struct in_addr to;
	int error;

	if (!hv_cm_ipv4(address, &to))
		return EAFNOSUPPORT;
	if (!IN_MULTICAST(ntohl(to.s_addr)) || !hv_cm_is_datagram(id) || id->id.verbs == NULL || *find(id, to) != NULL)
		return EINVAL;
	group = hv_cm_take_block();
	if (group == NULL)
		return ENOMEM;
	group->address = to;
	group->gid = hv_cm_group_gid(to);
	error = hv_cm_join(hv_context(hv_cm.context)->handle, &group->gid, RDMA_UDP_QKEY, &group->membership, &group->lid);
	if (error != 0) {
		hv_cm_give_block(group);
		return error;
	}
	error = attach(id, group);
	if (error == 0)
		error = tell(id, group, context);
	if (error != 0) {
		leave(id, group);
		return error;
	}
	group->next = id->groups;
	id->groups = group;
	return 0;
}

int rdma_join_multicast(struct rdma_cm_id *rdma, struct sockaddr *address, void *context)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	int error = join(id, address, context);

	return hv_cm_answer(error != 0 ? error : hv_cm_complete(id));
}

int rdma_join_multicast_ex(struct rdma_cm_id *id, struct rdma_cm_join_mc_attr_ex *attributes, void *context)
{
	const uint32_t known = RDMA_CM_JOIN_MC_ATTR_ADDRESS | RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS;

	if ((attributes->comp_mask & known) != known)
		return hv_cm_answer(EINVAL);
	// A member that only sends has no join state here.
	if (attributes->join_flags != RDMA_MC_JOIN_FLAG_FULLMEMBER)
		return hv_cm_answer(EOPNOTSUPP);
	return rdma_join_multicast(id, attributes->addr, context);
}

int rdma_leave_multicast(struct rdma_cm_id *rdma, struct sockaddr *address)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	struct hv_cm_group **link;
	struct hv_cm_group *group;
	struct in_addr from;

	if (!hv_cm_ipv4(address, &from))
		return hv_cm_answer(EAFNOSUPPORT);
	link = find(id, from);
	group = *link;
	if (group == NULL)
		return hv_cm_answer(EADDRNOTAVAIL);
	*link = group->next;
	leave(id, group);
	return 0;
}

void hv_cm_leave_all(struct hv_cm_id *id)
{
	while (id->groups != NULL) {
		struct hv_cm_group *group = id->groups;

		id->groups = group->next;
		leave(id, group);
	}
}

void hv_cm_detach_all(struct hv_cm_id *id)
{
	for (struct hv_cm_group *group = id->groups; group != NULL; group = group->next) {
		if (group->is_attached)
			ibv_detach_mcast(id->id.qp, &group->gid, group->lid);
		group->is_attached = false;
	}
}
