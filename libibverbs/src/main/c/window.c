// Memory windows.
#include <stdlib.h>

#include "verbs.h"

_Static_assert((int)HV_MEMORY_WINDOW_TYPE_ONE == IBV_MW_TYPE_1 && (int)HV_MEMORY_WINDOW_TYPE_TWO == IBV_MW_TYPE_2,
	       "types are those of verbs.h");

static int allocate(struct hv_mw *mw, struct ibv_pd *pd, enum ibv_mw_type type)
{
	static const uint32_t tags[] = {HV_WINDOW_ALLOCATED_WINDOW, HV_WINDOW_ALLOCATED_RKEY};
	uint64_t values[2];
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_ALLOCATE_WINDOW);
	hv_pb_put(&call.request, HV_ALLOCATE_WINDOW_PD, hv_pd(pd)->handle);
	hv_pb_put(&call.request, HV_ALLOCATE_WINDOW_TYPE, type);
	error = hv_call_do(&call, HV_CONTROL_REPLY_WINDOW_ALLOCATED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, values, 2);
	mw->handle = values[0];
	mw->mw = (struct ibv_mw){.context = pd->context,
				 .pd = pd,
				 .rkey = (uint32_t)values[1],
				 .handle = (uint32_t)values[0],
				 .type = type};
	return 0;
}

struct ibv_mw *hv_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct hv_mw *mw = calloc(1, sizeof(*mw));
	int error;

	if (mw == NULL)
		return hv_null(ENOMEM);
	error = allocate(mw, pd, type);
	if (error != 0) {
		free(mw);
		return hv_null(error);
	}
	__atomic_fetch_add(&hv_pd(pd)->children, 1, __ATOMIC_ACQ_REL);
	return &mw->mw;
}

int hv_dealloc_mw(struct ibv_mw *ibv)
{
	struct hv_mw *mw = (struct hv_mw *)ibv;
	int error = hv_destroy(HV_OBJECT_KIND_WINDOW, mw->handle);

	if (error != 0)
		return error;
	__atomic_fetch_sub(&hv_pd(ibv->pd)->children, 1, __ATOMIC_ACQ_REL);
	free(mw);
	return 0;
}

// A bind of type 1: a request like others, to the window's next key.
int hv_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	struct ibv_send_wr request = {.wr_id = bind->wr_id,
				      .opcode = IBV_WR_BIND_MW,
				      .send_flags = bind->send_flags,
				      .bind_mw = {.mw = mw,
						  .rkey = ibv_inc_rkey(mw->rkey),
						  .bind_info = bind->bind_info}};
	struct ibv_send_wr *bad;
	int error;

	if (qp->qp_type == IBV_QPT_UD || (bind->bind_info.mw_access_flags & IBV_ACCESS_ZERO_BASED) != 0)
		return EINVAL;
	error = hv_post_send(qp, &request, &bad);
	if (error == 0)
		mw->rkey = request.bind_mw.rkey;
	return error;
}
