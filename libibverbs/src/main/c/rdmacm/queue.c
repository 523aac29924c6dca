// Queue pairs of ids, with the completion queues that they need.
#include "cm.h"

static int make_cq(struct rdma_cm_id *id, uint32_t entries, struct ibv_comp_channel **channel, struct ibv_cq **cq)
{
	*channel = ibv_create_comp_channel(id->verbs);
	if (*channel == NULL)
		return errno;
	*cq = ibv_create_cq(id->verbs, entries == 0 ? 1 : (int)entries, id, *channel, 0);
	if (*cq != NULL)
		return 0;
	ibv_destroy_comp_channel(*channel);
	*channel = NULL;
	return errno;
}

static void end_cq(struct ibv_comp_channel **channel, struct ibv_cq **cq)
{
	if (*cq != NULL)
		ibv_destroy_cq(*cq);
	if (*channel != NULL)
		ibv_destroy_comp_channel(*channel);
	*cq = NULL;
	*channel = NULL;
}

static void end_cqs(struct rdma_cm_id *id)
{
	// That of a shared receive queue stays with it.
	if (id->srq == NULL)
		end_cq(&id->recv_cq_channel, &id->recv_cq);
	end_cq(&id->send_cq_channel, &id->send_cq);
}

static int fill_in(struct rdma_cm_id *id, struct ibv_qp_init_attr_ex *attributes)
{
	int error = 0;

	if ((attributes->comp_mask & IBV_QP_INIT_ATTR_PD) == 0) {
		attributes->comp_mask |= IBV_QP_INIT_ATTR_PD;
		attributes->pd = id->pd;
	}
	if (attributes->pd->context != id->verbs)
		return EINVAL;
	if (attributes->srq == NULL && id->srq != NULL)
		attributes->srq = id->srq;
	if (attributes->recv_cq == NULL) {
		if (id->recv_cq == NULL)
			error = make_cq(id, attributes->cap.max_recv_wr, &id->recv_cq_channel, &id->recv_cq);
		attributes->recv_cq = id->recv_cq;
	}
	if (error == 0 && attributes->send_cq == NULL) {
		if (id->send_cq == NULL)
			error = make_cq(id, attributes->cap.max_send_wr, &id->send_cq_channel, &id->send_cq);
		attributes->send_cq = id->send_cq;
	}
	return error;
}

static int create_qp(struct rdma_cm_id *id, struct ibv_qp_init_attr_ex *attributes)
{
	struct hv_cm_id *own = hv_cm_id(id);
	struct ibv_qp *qp = NULL;
	int error;

	if (id->verbs == NULL || id->qp != NULL)
		return EINVAL;
	if (hv_cm_is_datagram(own) != (attributes->qp_type == IBV_QPT_UD))
		return EINVAL;
	if (attributes->qp_type != IBV_QPT_RC && attributes->qp_type != IBV_QPT_UC
	    && attributes->qp_type != IBV_QPT_UD)
		return EOPNOTSUPP;
	error = fill_in(id, attributes);
	if (error == 0) {
		qp = ibv_create_qp_ex(id->verbs, attributes);
		error = qp == NULL ? errno : 0;
	}
	if (error == 0) {
		id->qp = qp;
		if (hv_cm_is_datagram(own)) {
			error = hv_cm_datagrams_to_rts(own);
		} else {
			own->own.type = attributes->qp_type == IBV_QPT_RC ? HV_QP_TYPE_RC : HV_QP_TYPE_UC;
			error = hv_cm_to_init(own);
		}
	}
	if (error != 0) {
		if (qp != NULL)
			ibv_destroy_qp(qp);
		id->qp = NULL;
		end_cqs(id);
		return error;
	}
	id->pd = qp->pd;
	return 0;
}

int rdma_create_qp_ex(struct rdma_cm_id *id, struct ibv_qp_init_attr_ex *attributes)
{
	return hv_cm_answer(create_qp(id, attributes));
}

int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
	struct ibv_qp_init_attr_ex extended = {0};
	int error;

	memcpy(&extended, attributes, sizeof(*attributes));
	extended.comp_mask = IBV_QP_INIT_ATTR_PD;
	extended.pd = pd != NULL ? pd : id->pd;
	if (extended.pd == NULL)
		return hv_cm_answer(EINVAL);
	error = create_qp(id, &extended);
	memcpy(attributes, &extended, sizeof(*attributes));
	return hv_cm_answer(error);
}

void rdma_destroy_qp(struct rdma_cm_id *id)
{
	if (id->qp != NULL) {
		hv_cm_detach_all(hv_cm_id(id));
		ibv_destroy_qp(id->qp);
	}
	id->qp = NULL;
	end_cqs(id);
}

int rdma_create_srq_ex(struct rdma_cm_id *id, struct ibv_srq_init_attr_ex *attributes)
{
	struct ibv_srq *srq;

	if (id->verbs == NULL || id->srq != NULL)
		return hv_cm_answer(EINVAL);
	if ((attributes->comp_mask & IBV_SRQ_INIT_ATTR_PD) == 0 || attributes->pd == NULL) {
		attributes->comp_mask |= IBV_SRQ_INIT_ATTR_PD;
		attributes->pd = id->pd;
	}
	srq = ibv_create_srq_ex(id->verbs, attributes);
	if (srq == NULL)
		return -1;
	id->pd = attributes->pd;
	id->srq = srq;
	return 0;
}

int rdma_create_srq(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_srq_init_attr *attributes)
{
	struct ibv_srq_init_attr_ex extended = {
		.srq_context = attributes->srq_context,
		.attr = attributes->attr,
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_BASIC,
		.pd = pd,
	};
	int result = rdma_create_srq_ex(id, &extended);

	attributes->attr = extended.attr;
	return result;
}

void rdma_destroy_srq(struct rdma_cm_id *id)
{
	if (id->srq != NULL)
		ibv_destroy_srq(id->srq);
	id->srq = NULL;
	if (id->qp == NULL)
		end_cq(&id->recv_cq_channel, &id->recv_cq);
}
