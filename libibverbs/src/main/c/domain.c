// Protection domains, parent domains, thread domains, XRC domains.
#include <fcntl.h>
#include <stdlib.h>

#include "verbs.h"

static int allocate(struct hv_context *context, uint32_t kind, uint32_t field, uint64_t *handle)
{
	static const uint32_t tags[] = {HV_PD_ALLOCATED_PD};
	struct hv_call call;
	int error;

	hv_call_begin(&call, kind);
	hv_pb_put(&call.request, field, context->handle);
	error = hv_call_do(&call, HV_CONTROL_REPLY_PD_ALLOCATED);
	if (error == 0)
		hv_read_numbers(call.reply, tags, handle, 1);
	return error;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct hv_pd *pd = calloc(1, sizeof(*pd));
	int error;

	if (pd == NULL)
		return hv_null(ENOMEM);
	error = allocate(hv_context(context), HV_CONTROL_REQUEST_ALLOCATE_PD, HV_ALLOCATE_PD_CONTEXT, &pd->handle);
	if (error != 0) {
		free(pd);
		return hv_null(error);
	}
	pd->pd.context = context;
	pd->pd.handle = (uint32_t)pd->handle;
	return &pd->pd;
}

int ibv_dealloc_pd(struct ibv_pd *ibv)
{
	struct hv_pd *pd = hv_pd(ibv);
	int error = 0;

	if (__atomic_load_n(&pd->children, __ATOMIC_ACQUIRE) != 0)
		return EBUSY;
	if (pd->parent != NULL)
		__atomic_fetch_sub(&pd->parent->children, 1, __ATOMIC_ACQ_REL);
	else
		error = hv_destroy(HV_OBJECT_KIND_PD, pd->handle);
	if (error == 0)
		free(pd);
	return error;
}

struct ibv_pd *hv_alloc_parent_domain(struct ibv_context *context, struct ibv_parent_domain_init_attr *attributes)
{
	struct hv_pd *parent = hv_pd(attributes->pd);
	struct hv_pd *pd;

	if (attributes->pd == NULL || parent->parent != NULL)
		return hv_null(EINVAL);
	// Rings lie in memory that the HCA knows: a program's own allocator is of no use.
	if ((attributes->comp_mask & ~(uint32_t)IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT) != 0)
		return hv_null(EOPNOTSUPP);
	pd = calloc(1, sizeof(*pd));
	if (pd == NULL)
		return hv_null(ENOMEM);
	*pd = (struct hv_pd){
		.pd = {.context = context, .handle = parent->pd.handle}, .handle = parent->handle, .parent = parent};
	__atomic_fetch_add(&parent->children, 1, __ATOMIC_ACQ_REL);
	return &pd->pd;
}

// Queues are locked all the same.
struct ibv_td *hv_alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attributes)
{
	struct ibv_td *td;

	if (attributes->comp_mask != 0)
		return hv_null(EOPNOTSUPP);
	td = calloc(1, sizeof(*td));
	if (td == NULL)
		return hv_null(ENOMEM);
	td->context = context;
	return td;
}

int hv_dealloc_td(struct ibv_td *td)
{
	free(td);
	return 0;
}

// A file names a domain for other programs to find. They do not find it: each has its own, and may only create one.
struct ibv_xrcd *hv_open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attributes)
{
	const uint32_t known = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
	struct hv_xrcd *xrcd;
	int error;

	if ((attributes->comp_mask & ~known) != 0)
		return hv_null(EOPNOTSUPP);
	if ((attributes->comp_mask & known) != known)
		return hv_null(EINVAL);
	if (attributes->fd != -1 && (attributes->oflags & O_CREAT) == 0)
		return hv_null(EOPNOTSUPP);
	xrcd = calloc(1, sizeof(*xrcd));
	if (xrcd == NULL)
		return hv_null(ENOMEM);
	error = allocate(hv_context(context), HV_CONTROL_REQUEST_OPEN_XRCD, HV_OPEN_XRCD_CONTEXT, &xrcd->handle);
	if (error == 0) {
		xrcd->idle = hv_create_cq(hv_context(context), 1, NULL);
		if (xrcd->idle == NULL) {
			error = errno;
			hv_destroy(HV_OBJECT_KIND_PD, xrcd->handle);
		}
	}
	if (error != 0) {
		free(xrcd);
		return hv_null(error);
	}
	xrcd->xrcd.context = context;
	return &xrcd->xrcd;
}

int hv_close_xrcd(struct ibv_xrcd *ibv)
{
	struct hv_xrcd *xrcd = (struct hv_xrcd *)ibv;
	int error = xrcd->idle == NULL ? 0 : hv_destroy_cq(xrcd->idle);

	if (error != 0)
		return error;
	xrcd->idle = NULL;
	error = hv_destroy(HV_OBJECT_KIND_PD, xrcd->handle);
	if (error == 0)
		free(xrcd);
	return error;
}
