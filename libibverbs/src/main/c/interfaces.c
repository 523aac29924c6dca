// A part of libhvmemory.so: the guest's address on the HCA as that of a network interface, which is where programs
// look for one to bind to (libfabric, which passes lo over). The network that guests have in common is a lo, so that
// the kernel knows of none.
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

// Guests have addresses from 127.0.1.1 on.
#define NETWORK_MASK 0xffff0000

#define GUEST_NAME_BYTES 256

// Whoever has got a list finds our entry in it by where its name is.
static char name[] = "ib0";

struct interface {
	struct ifaddrs entry; // first: the program's
	struct sockaddr_in address;
	struct sockaddr_in mask;
};

static bool find_own_address(struct in_addr *own)
{
	struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	char guest[GUEST_NAME_BYTES];

	// A guest's host name is its own, and stands for its address.
	if (gethostname(guest, sizeof(guest)) != 0 || getaddrinfo(guest, NULL, &hints, &found) != 0)
		return false;
	*own = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
	freeaddrinfo(found);
	return true;
}

static struct interface *new_interface(struct in_addr own)
{
	struct interface *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	made->address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = own};
	made->mask = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(NETWORK_MASK)};
	made->entry = (struct ifaddrs){
		.ifa_name = name,
		.ifa_flags = IFF_UP | IFF_RUNNING | IFF_MULTICAST,
		.ifa_addr = (struct sockaddr *)&made->address,
		.ifa_netmask = (struct sockaddr *)&made->mask,
	};
	return made;
}

EXPORT int getifaddrs(struct ifaddrs **list)
{
	int (*next)(struct ifaddrs **) = (int (*)(struct ifaddrs **))dlsym(RTLD_NEXT, "getifaddrs");
	struct interface *made;
	struct in_addr own;

	if (next(list) != 0)
		return -1;
	if (!find_own_address(&own))
		return 0;
	made = new_interface(own);
	if (made == NULL) {
		freeifaddrs(*list);
		return -1;
	}
	while (*list != NULL)
		list = &(*list)->ifa_next;
	*list = &made->entry;
	return 0;
}

EXPORT void freeifaddrs(struct ifaddrs *list)
{
	void (*next)(struct ifaddrs *) = (void (*)(struct ifaddrs *))dlsym(RTLD_NEXT, "freeifaddrs");
	struct ifaddrs **at = &list;

	while (*at != NULL && (*at)->ifa_name != name)
		at = &(*at)->ifa_next;
	if (*at != NULL) {
		struct ifaddrs *ours = *at;

		*at = ours->ifa_next;
		free(ours);
	}
	next(list);
}
