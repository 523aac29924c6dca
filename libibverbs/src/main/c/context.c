// Opening the device, and what a program's ibv_context points to.
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verbs.h"

static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;
static struct hv_context *contexts;

void hv_each_context(void (*visit)(struct hv_context *context))
{
	for (struct hv_context *context = contexts; context != NULL; context = context->next)
		visit(context);
}

// A forked child must ring no doorbell of its parent's, nor take its events: its pages are others, never read.
static void leave_pages(struct hv_context *context)
{
	mmap(context->uar, HV_UAR_SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void lock_contexts(void)
{
	pthread_mutex_lock(&contexts_lock);
}

static void unlock_contexts(void)
{
	pthread_mutex_unlock(&contexts_lock);
}

static void in_child(void)
{
	hv_each_context(leave_pages);
	unlock_contexts();
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(lock_contexts, unlock_contexts, in_child);
}

static void fill_ops(struct hv_context *context)
{
	struct verbs_context *verbs = &context->verbs;
	struct ibv_context_ops *ops = &verbs->context.ops;

	verbs->sz = sizeof(*verbs);
	verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
	verbs->query_port = hv_query_port;
	verbs->query_device_ex = hv_query_device_ex;
	verbs->alloc_parent_domain = hv_alloc_parent_domain;
	verbs->alloc_td = hv_alloc_td;
	verbs->dealloc_td = hv_dealloc_td;
	verbs->open_xrcd = hv_open_xrcd;
	verbs->close_xrcd = hv_close_xrcd;
	verbs->create_cq_ex = hv_create_cq_ex;
	verbs->modify_cq = hv_modify_cq;
	verbs->create_srq_ex = hv_create_srq_ex;
	verbs->get_srq_num = hv_get_srq_num;
	verbs->create_qp_ex = hv_create_qp_ex;
	ops->alloc_mw = hv_alloc_mw;
	ops->dealloc_mw = hv_dealloc_mw;
	ops->bind_mw = hv_bind_mw;
	ops->poll_cq = hv_poll_cq;
	ops->req_notify_cq = hv_req_notify_cq;
	ops->post_send = hv_post_send;
	ops->post_recv = hv_post_recv;
	ops->post_srq_recv = hv_post_srq_recv;
}

static void *map_page(int descriptor, size_t bytes, int protection, uint32_t magic, uint32_t version)
{
	uint8_t *page = mmap(NULL, bytes, protection, MAP_SHARED, descriptor, 0);

	if (page == MAP_FAILED)
		return NULL;
	// Both layouts begin with these.
	if (hv_get32(page + HV_UAR_MAGIC_OFFSET) == magic && hv_get32(page + HV_UAR_VERSION_OFFSET) == version)
		return page;
	munmap(page, bytes);
	errno = EPROTO;
	return NULL;
}

_Static_assert(HV_UAR_MAGIC_OFFSET == HV_STATUS_PAGE_MAGIC_OFFSET
		       && HV_UAR_VERSION_OFFSET == HV_STATUS_PAGE_VERSION_OFFSET,
	       "UAR and status page begin alike");

static int map_pages(struct hv_context *context, const int descriptors[HV_MAX_DESCRIPTORS])
{
	int error = 0;

	if (descriptors[0] < 0 || descriptors[1] < 0) {
		error = EPROTO;
	} else {
		context->uar = map_page(descriptors[0], HV_UAR_SIZE_BYTES, PROT_READ | PROT_WRITE, HV_UAR_MAGIC,
					HV_UAR_VERSION);
		context->status = context->uar == NULL
					  ? NULL
					  : map_page(descriptors[1], HV_STATUS_PAGE_SIZE_BYTES, PROT_READ,
						     HV_STATUS_PAGE_MAGIC, HV_STATUS_PAGE_VERSION);
		if (context->status == NULL)
			error = errno;
	}
	for (int i = 0; i < HV_MAX_DESCRIPTORS; i++) {
		if (descriptors[i] >= 0)
			close(descriptors[i]);
	}
	return error;
}

static void unmap_pages(struct hv_context *context)
{
	if (context->uar != NULL)
		munmap(context->uar, HV_UAR_SIZE_BYTES);
	if (context->status != NULL)
		munmap((void *)context->status, HV_STATUS_PAGE_SIZE_BYTES);
}

static int open_handle(struct hv_context *context)
{
	static const uint32_t tags[] = {HV_CONTEXT_OPENED_CONTEXT};
	struct hv_call call;
	int error;

	hv_call_begin(&call, HV_CONTROL_REQUEST_OPEN_CONTEXT);
	hv_pb_put(&call.request, HV_OPEN_CONTEXT_DATA_PATH, HV_DATA_PATH_KIND_BYPASS);
	error = hv_call_do(&call, HV_CONTROL_REPLY_CONTEXT_OPENED);
	if (error != 0)
		return error;
	hv_read_numbers(call.reply, tags, &context->handle, 1);
	error = map_pages(context, call.descriptors);
	if (error != 0) {
		unmap_pages(context);
		hv_destroy(HV_OBJECT_KIND_CONTEXT, context->handle);
	}
	return error;
}

static int set_up(struct hv_context *context, struct hv_device *device)
{
	int error = open_handle(context);

	if (error != 0)
		return error;
	error = hv_learn_device(device, context->handle);
	if (error == 0)
		error = hv_start_events(context);
	if (error != 0) {
		unmap_pages(context);
		hv_destroy(HV_OBJECT_KIND_CONTEXT, context->handle);
	}
	return error;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	struct hv_context *context = calloc(1, sizeof(*context));
	struct hv_device *known = (struct hv_device *)device;
	struct ibv_context *ibv;
	int error;

	if (context == NULL)
		return hv_null(ENOMEM);
	ibv = &context->verbs.context;
	ibv->device = device;
	// Programs pass it on to others, which then find that they cannot import the device.
	ibv->cmd_fd = eventfd(0, EFD_CLOEXEC);
	pthread_mutex_init(&ibv->mutex, NULL);
	pthread_mutex_init(&context->events, NULL);
	fill_ops(context);
	error = set_up(context, known);
	if (error != 0) {
		close(ibv->cmd_fd);
		free(context);
		return hv_null(error);
	}
	ibv->num_comp_vectors = (int)known->completion_vectors;
	lock_contexts();
	context->next = contexts;
	contexts = context;
	unlock_contexts();
	return ibv;
}

int ibv_close_device(struct ibv_context *ibv)
{
	struct hv_context *context = hv_context(ibv);
	struct hv_context **link = &contexts;
	int error = hv_destroy(HV_OBJECT_KIND_CONTEXT, context->handle);

	// Programs close with queues left over, as a kernel allows. The driver keeps these until the program ends.
	if (error != 0 && error != EBUSY) {
		errno = error;
		return -1;
	}
	lock_contexts();
	while (*link != context)
		link = &(*link)->next;
	*link = context->next;
	unlock_contexts();
	hv_stop_events(context);
	close(ibv->cmd_fd);
	unmap_pages(context);
	for (int i = 0; i < HV_TABLE_ENTRIES; i++)
		free(context->queue_pairs[i]);
	pthread_mutex_destroy(&context->events);
	pthread_mutex_destroy(&ibv->mutex);
	free(context);
	return 0;
}
