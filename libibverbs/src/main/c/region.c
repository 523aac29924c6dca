// Memory regions: any memory that libhvmemory.so gave the program, by its frames.
#include <stdlib.h>

#include "verbs.h"

_Static_assert((int)HV_ACCESS_LOCAL_WRITE == IBV_ACCESS_LOCAL_WRITE
		       && (int)HV_ACCESS_REMOTE_WRITE == IBV_ACCESS_REMOTE_WRITE
		       && (int)HV_ACCESS_REMOTE_READ == IBV_ACCESS_REMOTE_READ
		       && (int)HV_ACCESS_REMOTE_ATOMIC == IBV_ACCESS_REMOTE_ATOMIC
		       && (int)HV_ACCESS_MW_BIND == IBV_ACCESS_MW_BIND
		       && (int)HV_ACCESS_ZERO_BASED == IBV_ACCESS_ZERO_BASED,
	       "rights are those of verbs.h");

#define KNOWN_RIGHTS (HV_ACCESS_ALL_BITS | IBV_ACCESS_HUGETLB)

// Rights as the HCA has them; what is optional it may leave out, and does. -1: one is not supported.
static int rights(unsigned int access)
{
	access &= ~(unsigned int)IBV_ACCESS_OPTIONAL_RANGE;
	return (access & ~(unsigned int)KNOWN_RIGHTS) != 0 ? -1 : (int)(access & HV_ACCESS_ALL_BITS);
}

static int check(const void *address, size_t length, uint64_t iova, int access)
{
	const int writes = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;

	if (access < 0)
		return EOPNOTSUPP;
	if ((access & writes) != 0 && (access & IBV_ACCESS_LOCAL_WRITE) == 0)
		return EINVAL;
	// The HCA finds a byte by frame and offset, which are the memory's.
	return length == 0 || ((iova ^ (uintptr_t)address) & (HV_FRAME_BYTES - 1)) != 0 ? EINVAL : 0;
}

static int do_register(struct hv_call *call, struct hv_mr *mr)
{
	static const uint32_t tags[] = {HV_MEMORY_REGISTERED_REGION, HV_MEMORY_REGISTERED_LKEY,
					HV_MEMORY_REGISTERED_RKEY};
	uint64_t values[3];
	int error = hv_call_do(call, HV_CONTROL_REPLY_MEMORY_REGISTERED);

	if (error != 0)
		return error;
	hv_read_numbers(call->reply, tags, values, 3);
	mr->handle = values[0];
	mr->mr.handle = (uint32_t)values[0];
	mr->mr.lkey = (uint32_t)values[1];
	mr->mr.rkey = (uint32_t)values[2];
	return 0;
}

static int new_region(struct hv_mr *mr, struct hv_pd *pd, void *address, size_t length, uint64_t iova, int access)
{
	struct hv_call call;
	int error = check(address, length, iova, access);

	if (error != 0)
		return error;
	hv_call_begin(&call, HV_CONTROL_REQUEST_REGISTER_MEMORY);
	hv_pb_put(&call.request, HV_REGISTER_MEMORY_PD, pd->handle);
	hv_pb_put(&call.request, HV_REGISTER_MEMORY_VIRTUAL_ADDRESS, iova);
	hv_pb_put(&call.request, HV_REGISTER_MEMORY_LENGTH_BYTES, length);
	hv_pb_put(&call.request, HV_REGISTER_MEMORY_ACCESS, (uint64_t)access);
	error = hv_put_frames(&call, HV_REGISTER_MEMORY_RUNS, address, length);
	return error != 0 ? error : do_register(&call, mr);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access)
{
	struct hv_mr *mr = calloc(1, sizeof(*mr));
	int error;

	if (mr == NULL)
		return hv_null(ENOMEM);
	error = new_region(mr, hv_pd(pd), address, length, iova, rights(access));
	if (error != 0) {
		free(mr);
		return hv_null(error);
	}
	mr->mr.context = pd->context;
	mr->mr.pd = pd;
	mr->mr.addr = address;
	mr->mr.length = length;
	__atomic_fetch_add(&hv_pd(pd)->children, 1, __ATOMIC_ACQ_REL);
	return &mr->mr;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access)
{
	return ibv_reg_mr_iova2(pd, address, length, (uintptr_t)address, (unsigned int)access);
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, int access)
{
	return ibv_reg_mr_iova2(pd, address, length, iova, (unsigned int)access);
}

int ibv_dereg_mr(struct ibv_mr *ibv)
{
	struct hv_mr *mr = (struct hv_mr *)ibv;
	int error = hv_destroy(HV_OBJECT_KIND_REGION, mr->handle);

	if (error != 0)
		return error;
	__atomic_fetch_sub(&hv_pd(ibv->pd)->children, 1, __ATOMIC_ACQ_REL);
	free(mr);
	return 0;
}

static void changed(struct ibv_mr *ibv, int flags, struct ibv_pd *pd, void *address, size_t length)
{
	if ((flags & IBV_REREG_MR_CHANGE_PD) != 0 && pd != ibv->pd) {
		__atomic_fetch_add(&hv_pd(pd)->children, 1, __ATOMIC_ACQ_REL);
		__atomic_fetch_sub(&hv_pd(ibv->pd)->children, 1, __ATOMIC_ACQ_REL);
		ibv->pd = pd;
	}
	if ((flags & IBV_REREG_MR_CHANGE_TRANSLATION) != 0) {
		ibv->addr = address;
		ibv->length = length;
	}
}

// What the flags do not name stays; the driver does not look at it.
int ibv_rereg_mr(struct ibv_mr *ibv, int flags, struct ibv_pd *pd, void *address, size_t length, int access)
{
	struct hv_mr *mr = (struct hv_mr *)ibv;
	struct hv_call call;
	int error = 0;

	if (flags == 0 || (flags & ~IBV_REREG_MR_FLAGS_SUPPORTED) != 0
	    || ((flags & IBV_REREG_MR_CHANGE_PD) != 0 && pd == NULL)) {
		errno = EINVAL;
		return IBV_REREG_MR_ERR_INPUT;
	}
	if ((flags & IBV_REREG_MR_CHANGE_TRANSLATION) == 0) {
		address = ibv->addr;
		length = ibv->length;
	}
	access = (flags & IBV_REREG_MR_CHANGE_ACCESS) != 0 ? rights((unsigned int)access) : 0;
	error = check(address, length, (uintptr_t)address, access);
	hv_call_begin(&call, HV_CONTROL_REQUEST_REREGISTER_MEMORY);
	hv_pb_put(&call.request, HV_REREGISTER_MEMORY_REGION, mr->handle);
	hv_pb_put(&call.request, HV_REREGISTER_MEMORY_CHANGES, (uint64_t)flags);
	hv_pb_put(&call.request, HV_REREGISTER_MEMORY_PD,
		  hv_pd((flags & IBV_REREG_MR_CHANGE_PD) != 0 ? pd : ibv->pd)->handle);
	hv_pb_put(&call.request, HV_REREGISTER_MEMORY_VIRTUAL_ADDRESS, (uintptr_t)address);
	hv_pb_put(&call.request, HV_REREGISTER_MEMORY_LENGTH_BYTES, length);
	hv_pb_put(&call.request, HV_REREGISTER_MEMORY_ACCESS, (uint64_t)access);
	if (error == 0)
		error = hv_put_frames(&call, HV_REREGISTER_MEMORY_RUNS, address, length);
	if (error != 0) {
		errno = error;
		return IBV_REREG_MR_ERR_INPUT;
	}
	error = do_register(&call, mr);
	if (error != 0) {
		errno = error;
		return IBV_REREG_MR_ERR_CMD;
	}
	changed(ibv, flags, pd, address, length);
	return 0;
}
