// What the stock library has and a guest does not: objects of other processes, memory of other devices, Ethernet.
// build.sh makes more of these, for the provider plug-ins that Debian's programs are linked with.
#include "verbs.h"

// A child of fork() gets a copy of the program's memory, whether this was called or not.
int ibv_fork_init(void)
{
	return 0;
}

enum ibv_fork_status ibv_is_fork_initialized(void)
{
	return IBV_FORK_UNNEEDED;
}

HV_EXPORT int ibv_dontfork_range(void *base, size_t size);
HV_EXPORT int ibv_dofork_range(void *base, size_t size);

int ibv_dontfork_range(void *base, size_t size)
{
	(void)base;
	(void)size;
	return 0;
}

int ibv_dofork_range(void *base, size_t size)
{
	(void)base;
	(void)size;
	return 0;
}

struct ibv_context *ibv_import_device(int descriptor)
{
	(void)descriptor;
	return hv_null(EOPNOTSUPP);
}

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t handle)
{
	(void)context;
	(void)handle;
	return hv_null(EOPNOTSUPP);
}

void ibv_unimport_pd(struct ibv_pd *pd)
{
	(void)pd;
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	(void)pd;
	(void)handle;
	return hv_null(EOPNOTSUPP);
}

void ibv_unimport_mr(struct ibv_mr *mr)
{
	(void)mr;
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t handle)
{
	(void)context;
	(void)handle;
	return hv_null(EOPNOTSUPP);
}

void ibv_unimport_dm(struct ibv_dm *dm)
{
	(void)dm;
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int descriptor,
				 int access)
{
	(void)pd;
	(void)offset;
	(void)length;
	(void)iova;
	(void)descriptor;
	(void)access;
	return hv_null(EOPNOTSUPP);
}

int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *options)
{
	(void)qp;
	(void)options;
	return EOPNOTSUPP;
}

// No options are the answer of a device without any.
int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *options)
{
	(void)qp;
	*options = (struct ibv_ece){0};
	return EOPNOTSUPP;
}

int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attributes,
				uint8_t mac[ETHERNET_LL_SIZE], uint16_t *vlan)
{
	(void)context;
	(void)attributes;
	(void)mac;
	(void)vlan;
	errno = EOPNOTSUPP;
	return -1;
}

// Plug-ins register themselves as they are loaded; none of them finds its device here.
HV_EXPORT void verbs_register_driver_34(const void *ops);

void verbs_register_driver_34(const void *ops)
{
	(void)ops;
}

HV_EXPORT extern bool verbs_allow_disassociate_destroy;

bool verbs_allow_disassociate_destroy;
