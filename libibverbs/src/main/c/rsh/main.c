// The caller, which mpirun starts as it would start rsh, and the program's beginning.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rsh.h"

// The server starts at the same time.
#define CONNECT_MILLIS 30000
#define RETRY_MICROS 20000
#define PART_BYTES 16384

static int connect_to(const struct hv_rsh_host *host)
{
	struct sockaddr_un address;
	socklen_t length = hv_rsh_address(host, &address);
	int64_t end = hv_rsh_now_millis() + CONNECT_MILLIS;
	int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (server < 0)
		return -1;
	// A server that refuses the secret closes the connection.
	signal(SIGPIPE, SIG_IGN);
	while (connect(server, (struct sockaddr *)&address, length) != 0) {
		if (hv_rsh_now_millis() > end) {
			close(server);
			return -1;
		}
		usleep(RETRY_MICROS);
	}
	return server;
}

// One line for a shell, as rsh and ssh make it.
static char *joined(char *const words[])
{
	size_t length = 1;
	char *line;
	char *end;

	for (size_t i = 0; words[i] != NULL; i++)
		length += strlen(words[i]) + 1;
	line = length > HV_RSH_MAX_COMMAND_BYTES ? NULL : malloc(length);
	if (line == NULL)
		return NULL;
	end = line;
	for (size_t i = 0; words[i] != NULL; i++) {
		if (i > 0)
			*end++ = ' ';
		end = stpcpy(end, words[i]);
	}
	*end = '\0';
	return line;
}

static bool send_call(int server, const struct hv_rsh_host *host, const char *line)
{
	uint32_t length = (uint32_t)strlen(line);

	return hv_rsh_write(server, host->secret, HV_RSH_SECRET_BYTES)
	       && hv_rsh_write(server, &length, sizeof(length)) && hv_rsh_write(server, line, length);
}

// Writes what the command says until its exit code comes; -1 if it does not.
static int take_answer(int server)
{
	char part[PART_BYTES];
	struct hv_rsh_head head;

	while (hv_rsh_read(server, &head, sizeof(head))) {
		if (head.kind == HV_RSH_EXIT)
			return (int)(head.length & 0xff);
		if (head.length > sizeof(part) || !hv_rsh_read(server, part, head.length)
		    || !hv_rsh_write(head.kind == HV_RSH_OUT ? STDOUT_FILENO : STDERR_FILENO, part, head.length))
			return -1;
	}
	return -1;
}

int hv_rsh_call(const char *file, const char *name, char *const words[])
{
	struct hv_rsh_host host;
	char *line = joined(words);
	int server;
	int code;

	if (line == NULL) {
		fprintf(stderr, "hv-rsh: the command for %s is too long\n", name);
		return HV_RSH_FAILED;
	}
	if (!hv_rsh_find(file, name, &host)) {
		free(line);
		return HV_RSH_FAILED;
	}
	server = connect_to(&host);
	if (server < 0) {
		fprintf(stderr, "hv-rsh: guest %s does not answer: %s\n", name, strerror(errno));
		free(line);
		return HV_RSH_FAILED;
	}
	code = send_call(server, &host, line) ? take_answer(server) : -1;
	free(line);
	close(server);
	if (code < 0)
		fprintf(stderr, "hv-rsh: the connection to guest %s has ended\n", name);
	return code < 0 ? HV_RSH_FAILED : code;
}

int main(int argc, char *argv[])
{
	if (argc > 2 && strcmp(argv[1], "run") == 0)
		return hv_rsh_run(argv + 2);
	if (argc == 4 && strcmp(argv[1], "serve") == 0)
		return hv_rsh_serve(argv[2], argv[3]);
	if (argc > 4 && strcmp(argv[1], "call") == 0)
		return hv_rsh_call(argv[2], argv[3], argv + 4);
	fprintf(stderr, "usage: hv-rsh run COMMAND...\n"
			"       hv-rsh serve FILE GUEST\n"
			"       hv-rsh call FILE GUEST COMMAND...\n");
	return 2;
}
