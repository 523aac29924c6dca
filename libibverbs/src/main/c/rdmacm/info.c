// Addresses for names.
#include <netdb.h>
#include <stdlib.h>

#include "cm.h"

static void *copy_of(const void *bytes, size_t length)
{
	void *copy = malloc(length);

	if (copy != NULL)
		memcpy(copy, bytes, length);
	return copy;
}

static int look_up(const char *node, const char *service, const struct rdma_addrinfo *hints, struct addrinfo **found)
{
	struct addrinfo wanted = {.ai_family = hints->ai_family, .ai_socktype = SOCK_STREAM};

	if ((hints->ai_flags & RAI_PASSIVE) != 0)
		wanted.ai_flags |= AI_PASSIVE;
	if ((hints->ai_flags & RAI_NUMERICHOST) != 0)
		wanted.ai_flags |= AI_NUMERICHOST;
	return getaddrinfo(node, service, &wanted, found);
}

static int copy_source(struct rdma_addrinfo *info, const struct rdma_addrinfo *hints)
{
	if (hints->ai_src_len == 0 || info->ai_src_addr != NULL)
		return 0;
	info->ai_src_addr = copy_of(hints->ai_src_addr, hints->ai_src_len);
	if (info->ai_src_addr == NULL)
		return EAI_MEMORY;
	info->ai_src_len = hints->ai_src_len;
	return 0;
}

// Without a name the addresses are those of the hints.
static int copy_addresses(struct rdma_addrinfo *info, const struct rdma_addrinfo *hints)
{
	info->ai_family = hints->ai_family;
	if (hints->ai_dst_len != 0) {
		info->ai_dst_addr = copy_of(hints->ai_dst_addr, hints->ai_dst_len);
		if (info->ai_dst_addr == NULL)
			return EAI_MEMORY;
		info->ai_dst_len = hints->ai_dst_len;
	}
	return copy_source(info, hints);
}

static int set_addresses(struct rdma_addrinfo *info, const struct addrinfo *found, const struct rdma_addrinfo *hints)
{
	bool is_passive = (hints->ai_flags & RAI_PASSIVE) != 0;
	struct sockaddr **address = is_passive ? &info->ai_src_addr : &info->ai_dst_addr;
	socklen_t *length = is_passive ? &info->ai_src_len : &info->ai_dst_len;

	info->ai_family = found->ai_family;
	*address = copy_of(found->ai_addr, found->ai_addrlen);
	if (*address == NULL)
		return EAI_MEMORY;
	*length = found->ai_addrlen;
	return is_passive ? 0 : copy_source(info, hints);
}

static void set_kind(struct rdma_addrinfo *info, const struct rdma_addrinfo *hints)
{
	info->ai_flags = hints->ai_flags;
	info->ai_port_space = hints->ai_port_space;
	info->ai_qp_type = hints->ai_qp_type;
	if (info->ai_port_space == 0)
		info->ai_port_space = info->ai_qp_type == IBV_QPT_UD ? RDMA_PS_UDP : RDMA_PS_TCP;
	if (info->ai_qp_type == 0)
		info->ai_qp_type = info->ai_port_space == RDMA_PS_UDP ? IBV_QPT_UD : IBV_QPT_RC;
}

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints,
		     struct rdma_addrinfo **result)
{
	static const struct rdma_addrinfo none;
	struct rdma_addrinfo *info;
	struct addrinfo *found;
	int error;

	if (node == NULL && service == NULL && hints == NULL)
		return hv_cm_answer(EINVAL);
	if (hints == NULL)
		hints = &none;
	info = calloc(1, sizeof(*info));
	if (info == NULL)
		return hv_cm_answer(ENOMEM);
	set_kind(info, hints);
	if (node == NULL && service == NULL) {
		error = copy_addresses(info, hints);
	} else {
		error = look_up(node, service, hints, &found);
		if (error == 0) {
			error = set_addresses(info, found, hints);
			freeaddrinfo(found);
		}
	}
	if (error != 0) {
		rdma_freeaddrinfo(info);
		return error;
	}
	*result = info;
	return 0;
}

void rdma_freeaddrinfo(struct rdma_addrinfo *info)
{
	while (info != NULL) {
		struct rdma_addrinfo *next = info->ai_next;

		free(info->ai_src_addr);
		free(info->ai_dst_addr);
		free(info->ai_connect);
		free(info);
		info = next;
	}
}
