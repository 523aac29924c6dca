#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rsh.h"

bool hv_rsh_find(const char *file, const char *name, struct hv_rsh_host *found)
{
	char line[256];
	char host[128];
	FILE *lines = fopen(file, "re");

	if (lines == NULL) {
		fprintf(stderr, "hv-rsh: %s: %s\n", file, strerror(errno));
		return false;
	}
	while (fgets(line, sizeof(line), lines) != NULL) {
		if (sscanf(line, "%127s %63s %32s", host, found->socket, found->secret) == 3
		    && strlen(found->secret) == HV_RSH_SECRET_BYTES && strcmp(host, name) == 0) {
			fclose(lines);
			return true;
		}
	}
	fclose(lines);
	fprintf(stderr, "hv-rsh: %s is no guest of this run\n", name);
	return false;
}

socklen_t hv_rsh_address(const struct hv_rsh_host *host, struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	// A zero in front makes it abstract.
	memcpy(address->sun_path + 1, host->socket, strlen(host->socket));
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(host->socket));
}

bool hv_rsh_read(int descriptor, void *bytes, size_t length)
{
	size_t had = 0;

	while (had < length) {
		ssize_t more = read(descriptor, (uint8_t *)bytes + had, length - had);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			return false;
		had += (size_t)more;
	}
	return true;
}

bool hv_rsh_write(int socket, const void *bytes, size_t length)
{
	size_t had = 0;

	while (had < length) {
		ssize_t more = write(socket, (const uint8_t *)bytes + had, length - had);

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			return false;
		had += (size_t)more;
	}
	return true;
}
