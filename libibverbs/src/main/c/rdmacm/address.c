// Addresses: which guest each stands for, and ports. A guest has one address of its own besides that of the loopback
// device; its name stands for it in /etc/hosts.
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "cm.h"

#define FIRST_PORT 32768
#define LAST_PORT 60999
#define TRIES 100

// The most that the connection manager takes.
#define MAX_BACKLOG 128

#define PORT_SPACE_SHIFT 16

// IBA annex A11, private data of a call: version 0, then the version of IP in the upper half of a byte, the caller's
// port, and both addresses, with those of IPv4 in the last 4 of 16 bytes.
#define HEADER_IP_VERSION 1
#define HEADER_PORT 2
#define HEADER_SOURCE 4
#define HEADER_DESTINATION 20
#define ADDRESS_BYTES 16
#define IPV4_BYTES 4
#define IPV4 4

bool hv_cm_ipv4(const struct sockaddr *address, struct in_addr *found)
{
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;

	if (address->sa_family == AF_INET) {
		*found = ((const struct sockaddr_in *)address)->sin_addr;
		return true;
	}
	if (address->sa_family != AF_INET6)
		return false;
	if (IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr))
		found->s_addr = htonl(INADDR_ANY);
	else if (IN6_IS_ADDR_LOOPBACK(&six->sin6_addr))
		found->s_addr = htonl(INADDR_LOOPBACK);
	else if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr))
		memcpy(found, &six->sin6_addr.s6_addr[ADDRESS_BYTES - IPV4_BYTES], IPV4_BYTES);
	else
		return false;
	return true;
}

static in_port_t *port_in(struct sockaddr *address)
{
	return address->sa_family == AF_INET6 ? &((struct sockaddr_in6 *)address)->sin6_port
					      : &((struct sockaddr_in *)address)->sin_port;
}

static void set_ipv4(struct sockaddr_in *address, struct in_addr to, in_port_t port)
{
	*address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = to, .sin_port = port};
}

static struct in_addr own_address(void)
{
	struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	struct in_addr own = {.s_addr = htonl(INADDR_LOOPBACK)};
	struct addrinfo *found;

	if (getaddrinfo(hv_cm.domain, NULL, &hints, &found) != 0)
		return own;
	own = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
	freeaddrinfo(found);
	return own;
}

static bool is_own(struct in_addr address)
{
	return address.s_addr == htonl(INADDR_LOOPBACK) || address.s_addr == own_address().s_addr;
}

// The guest that has an address. 0, or an errno.
static int guest_of(struct in_addr address, char *name, size_t room)
{
	struct sockaddr_in socket = {.sin_family = AF_INET, .sin_addr = address};

	if (is_own(address)) {
		snprintf(name, room, "%s", hv_cm.domain);
		return 0;
	}
	return getnameinfo((struct sockaddr *)&socket, sizeof(socket), name, (socklen_t)room, NULL, 0, NI_NAMEREQD) == 0
		       ? 0
		       : EHOSTUNREACH;
}

static uint64_t service_of(const struct hv_cm_id *id, in_port_t port)
{
	return (uint64_t)id->id.ps << PORT_SPACE_SHIFT | ntohs(port);
}

static in_port_t random_port(void)
{
	uint16_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		number = 0;
	return htons((uint16_t)(FIRST_PORT + number % (LAST_PORT - FIRST_PORT + 1)));
}

static bool is_bound_here(uint64_t service_id)
{
	bool is_there = false;

	pthread_mutex_lock(&hv_cm.lock);
	for (struct hv_cm_id *id = hv_cm.first; id != NULL; id = id->next)
		is_there |= id->is_bound && !id->is_called && id->service_id == service_id;
	pthread_mutex_unlock(&hv_cm.lock);
	return is_there;
}

// Asks by listening for a moment: 0 if nobody in this guest listens there.
static int probe(uint64_t service_id)
{
	uint64_t listener;
	int error;

	if (is_bound_here(service_id))
		return EADDRINUSE;
	error = hv_cm_listen(hv_cm.channel, service_id, 1, &listener);
	return error == 0 ? hv_cm_release(listener) : error;
}

static int take_port(struct hv_cm_id *id, in_port_t *port)
{
	int error = EADDRINUSE;

	if (*port != 0) {
		id->service_id = service_of(id, *port);
		return id->reuses_address ? 0 : probe(id->service_id);
	}
	for (int i = 0; i < TRIES && error == EADDRINUSE; i++) {
		*port = random_port();
		id->service_id = service_of(id, *port);
		error = probe(id->service_id);
	}
	return error;
}

static int bind_to(struct hv_cm_id *id, const struct sockaddr *address)
{
	struct sockaddr *source = &id->id.route.addr.src_addr;
	struct in_addr wanted;
	int error;

	if (id->is_bound)
		return EINVAL;
	if (!hv_cm_ipv4(address, &wanted))
		return address->sa_family == AF_INET6 ? EADDRNOTAVAIL : EAFNOSUPPORT;
	if (wanted.s_addr != htonl(INADDR_ANY) && !is_own(wanted))
		return EADDRNOTAVAIL;
	memcpy(source, address,
	       address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
	error = take_port(id, port_in(source));
	if (error != 0)
		return error;
	id->is_bound = true;
	// The loopback device is no HCA's: an id that is bound to it has one when it is called or resolves an address.
	if (wanted.s_addr != htonl(INADDR_ANY) && wanted.s_addr != htonl(INADDR_LOOPBACK))
		hv_cm_give_device(id);
	return 0;
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address)
{
	return hv_cm_answer(bind_to(hv_cm_id(id), address));
}

int rdma_listen(struct rdma_cm_id *rdma, int backlog)
{
	struct sockaddr_in any = {.sin_family = AF_INET};
	struct hv_cm_id *id = hv_cm_id(rdma);
	uint64_t listener;
	int error = 0;

	if (id->listener != 0 || id->connection != 0)
		return hv_cm_answer(EINVAL);
	if (!id->is_bound)
		error = bind_to(id, (struct sockaddr *)&any);
	// A call may be there before this returns, and its event waits for the lock.
	pthread_mutex_lock(&hv_cm.lock);
	if (error == 0)
		error = hv_cm_listen(hv_cm.channel, id->service_id,
				     backlog < 1 || backlog > MAX_BACKLOG ? MAX_BACKLOG : backlog,
				     &listener);
	if (error == 0)
		id->listener = listener;
	pthread_mutex_unlock(&hv_cm.lock);
	return hv_cm_answer(error);
}

// An address whose guest does not answer is an event; what is no address of a guest at all, an error.
static int resolve(struct hv_cm_id *id, const struct sockaddr *source, const struct sockaddr *destination)
{
	struct rdma_addr *addresses = &id->id.route.addr;
	struct in_addr from;
	struct in_addr to;
	char guest[NI_MAXHOST];
	uint64_t connection = 0;
	int error;

	if (!hv_cm_ipv4(destination, &to))
		return EAFNOSUPPORT;
	if (IN_MULTICAST(ntohl(to.s_addr)) && !hv_cm_is_datagram(id))
		return EINVAL;
	if (id->connection != 0 || id->listener != 0)
		return EINVAL;
	if (source != NULL && !id->is_bound) {
		error = bind_to(id, source);
		if (error != 0)
			return error;
	}
	from = to.s_addr == htonl(INADDR_LOOPBACK) ? to : own_address();
	set_ipv4(&addresses->src_sin, from, id->is_bound ? *port_in(&addresses->src_addr) : random_port());
	set_ipv4(&addresses->dst_sin, to, *port_in((struct sockaddr *)destination));
	id->is_bound = true;
	id->service_id = service_of(id, addresses->dst_sin.sin_port);
	if (IN_MULTICAST(ntohl(to.s_addr))) {
		// There is nobody to connect to: the program joins the group.
		hv_cm_give_device(id);
		addresses->addr.ibaddr.dgid = hv_cm_group_gid(to);
		return hv_cm_say(id, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
	}
	error = guest_of(to, guest, sizeof(guest));
	if (error == 0)
		error = hv_cm_resolve(hv_cm.channel, guest, &connection, &id->path);
	if (error != 0)
		return hv_cm_say(id, RDMA_CM_EVENT_ADDR_ERROR, error == ENOENT ? -EHOSTUNREACH : -error);
	id->connection = connection;
	hv_cm_give_device(id);
	addresses->addr.ibaddr.sgid = id->path.source;
	addresses->addr.ibaddr.dgid = id->path.destination;
	addresses->addr.ibaddr.pkey = htobe16(id->path.pkey);
	return hv_cm_say(id, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *source, struct sockaddr *destination, int timeout_ms)
{
	int error = destination == NULL ? EINVAL : resolve(hv_cm_id(id), source, destination);

	(void)timeout_ms;
	return hv_cm_answer(error != 0 ? error : hv_cm_complete(hv_cm_id(id)));
}

int rdma_resolve_route(struct rdma_cm_id *rdma, int timeout_ms)
{
	struct hv_cm_id *id = hv_cm_id(rdma);
	struct ibv_sa_path_rec *record;
	int error;

	(void)timeout_ms;
	if (id->connection == 0 || id->is_called)
		return hv_cm_answer(EINVAL);
	record = calloc(1, sizeof(*record));
	if (record == NULL)
		return hv_cm_answer(ENOMEM);
	record->sgid = id->path.source;
	record->dgid = id->path.destination;
	record->slid = htobe16(id->path.source_lid);
	record->dlid = htobe16(id->path.destination_lid);
	record->pkey = htobe16(id->path.pkey);
	record->sl = id->path.service_level;
	record->mtu = (uint8_t)hv_cm_mtu(id->path.mtu_bytes);
	record->packet_life_time = id->path.packet_life_time;
	record->reversible = id->path.reversible;
	record->numb_path = 1;
	free(rdma->route.path_rec);
	rdma->route.path_rec = record;
	rdma->route.num_paths = 1;
	error = hv_cm_say(id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
	return hv_cm_answer(error != 0 ? error : hv_cm_complete(id));
}

void hv_cm_write_header(const struct hv_cm_id *id, uint8_t header[HV_CM_HEADER_BYTES])
{
	const struct rdma_addr *addresses = &id->id.route.addr;

	memset(header, 0, HV_CM_HEADER_BYTES);
	header[HEADER_IP_VERSION] = IPV4 << 4;
	memcpy(header + HEADER_PORT, &addresses->src_sin.sin_port, sizeof(in_port_t));
	memcpy(header + HEADER_SOURCE + ADDRESS_BYTES - IPV4_BYTES, &addresses->src_sin.sin_addr, IPV4_BYTES);
	memcpy(header + HEADER_DESTINATION + ADDRESS_BYTES - IPV4_BYTES, &addresses->dst_sin.sin_addr, IPV4_BYTES);
}

bool hv_cm_read_header(struct hv_cm_id *id, const struct hv_pb_in *data, uint64_t service_id)
{
	struct rdma_addr *addresses = &id->id.route.addr;
	struct in_addr from;
	struct in_addr to;
	in_port_t port;

	if (data->end - data->at < HV_CM_HEADER_BYTES || data->at[0] != 0 || data->at[HEADER_IP_VERSION] >> 4 != IPV4)
		return false;
	memcpy(&port, data->at + HEADER_PORT, sizeof(port));
	memcpy(&from, data->at + HEADER_SOURCE + ADDRESS_BYTES - IPV4_BYTES, IPV4_BYTES);
	memcpy(&to, data->at + HEADER_DESTINATION + ADDRESS_BYTES - IPV4_BYTES, IPV4_BYTES);
	set_ipv4(&addresses->src_sin, to, htons((uint16_t)service_id));
	set_ipv4(&addresses->dst_sin, from, port);
	addresses->addr.ibaddr.sgid = id->path.source;
	addresses->addr.ibaddr.dgid = id->path.destination;
	addresses->addr.ibaddr.pkey = htobe16(id->path.pkey);
	return true;
}

__be16 rdma_get_src_port(struct rdma_cm_id *id)
{
	return *port_in(&id->route.addr.src_addr);
}

__be16 rdma_get_dst_port(struct rdma_cm_id *id)
{
	return *port_in(&id->route.addr.dst_addr);
}
