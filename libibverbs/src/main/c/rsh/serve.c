// The server: waits for one call that knows the secret, runs its command, and ends with it or with the connection.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "rsh.h"

#define WAIT_MILLIS 120000
#define STALLED_SECONDS 5
#define PART_BYTES 16384

// Looks at all of both, so that the time it takes says nothing.
static bool is_same(const char *one, const char *other)
{
	unsigned difference = 0;

	for (size_t i = 0; i < HV_RSH_SECRET_BYTES; i++)
		difference |= (unsigned char)one[i] ^ (unsigned char)other[i];
	return difference == 0;
}

// The command of whoever knows the secret; NULL for others.
static char *read_call(int caller, const struct hv_rsh_host *own)
{
	struct timeval stalled = {.tv_sec = STALLED_SECONDS};
	char secret[HV_RSH_SECRET_BYTES];
	uint32_t length;
	char *command;

	setsockopt(caller, SOL_SOCKET, SO_RCVTIMEO, &stalled, sizeof(stalled));
	setsockopt(caller, SOL_SOCKET, SO_SNDTIMEO, &stalled, sizeof(stalled));
	if (!hv_rsh_read(caller, secret, sizeof(secret)) || !is_same(secret, own->secret)
	    || !hv_rsh_read(caller, &length, sizeof(length)) || length > HV_RSH_MAX_COMMAND_BYTES)
		return NULL;
	command = calloc(1, (size_t)length + 1);
	if (command != NULL && !hv_rsh_read(caller, command, length)) {
		free(command);
		return NULL;
	}
	return command;
}

static int listen_at(const struct hv_rsh_host *own)
{
	struct sockaddr_un address;
	socklen_t length = hv_rsh_address(own, &address);
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 8) != 0) {
		perror("hv-rsh: cannot listen");
		return -1;
	}
	return listener;
}

// Returns the connection of the first caller that may call, and its command; -1 if there is none.
static int await_call(struct hv_rsh_job *job, const struct hv_rsh_host *own, int listener, char **command)
{
	struct pollfd waits[] = {{.fd = listener, .events = POLLIN}, {.fd = job->signals, .events = POLLIN}};
	int64_t end = hv_rsh_now_millis() + WAIT_MILLIS;

	while (hv_rsh_now_millis() < end) {
		int caller;

		if (poll(waits, 2, (int)(end - hv_rsh_now_millis())) < 0 && errno != EINTR)
			break;
		if (waits[1].revents != 0 && !hv_rsh_take_signal(job))
			return -1;
		if (waits[0].revents == 0)
			continue;
		caller = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (caller < 0)
			continue;
		*command = read_call(caller, own);
		if (*command != NULL)
			return caller;
		close(caller);
	}
	fprintf(stderr, "hv-rsh: nobody has called within %d s\n", WAIT_MILLIS / 1000);
	return -1;
}

static bool send_part(int caller, enum hv_rsh_kind kind, const void *bytes, size_t length)
{
	struct hv_rsh_head head = {.kind = kind, .length = (uint32_t)length};

	return hv_rsh_write(caller, &head, sizeof(head)) && hv_rsh_write(caller, bytes, length);
}

// Passes on what is there. Returns false if the caller takes no more.
static bool pass_on(struct pollfd *from, int caller, enum hv_rsh_kind kind)
{
	char part[PART_BYTES];
	ssize_t length;

	while ((length = read(from->fd, part, sizeof(part))) > 0) {
		if (!send_part(caller, kind, part, (size_t)length))
			return false;
	}
	if (length == 0)
		from->fd = -1;
	return true;
}

// Until the command has ended, this process is to end, or the caller is gone.
static void relay(struct hv_rsh_job *job, struct pollfd waits[4], int caller)
{
	while (job->status < 0) {
		if (poll(waits, 4, -1) < 0 && errno != EINTR)
			return;
		if (waits[2].revents != 0)
			return;
		if (waits[3].revents != 0 && !hv_rsh_take_signal(job))
			return;
		if (waits[0].revents != 0 && !pass_on(&waits[0], caller, HV_RSH_OUT))
			return;
		if (waits[1].revents != 0 && !pass_on(&waits[1], caller, HV_RSH_ERR))
			return;
	}
}

static int serve(struct hv_rsh_job *job, int caller, char *command)
{
	char *const argv[] = {"/bin/sh", "-c", command, NULL};
	struct hv_rsh_head end = {.kind = HV_RSH_EXIT};
	int output[2];
	int error[2];
	bool started;

	if (pipe2(output, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0) {
		perror("hv-rsh: pipe");
		return hv_rsh_finish(job);
	}
	started = hv_rsh_start(job, argv, output[1], error[1]);
	close(output[1]);
	close(error[1]);
	fcntl(output[0], F_SETFL, O_NONBLOCK);
	fcntl(error[0], F_SETFL, O_NONBLOCK);
	struct pollfd waits[] = {{.fd = output[0], .events = POLLIN},
				 {.fd = error[0], .events = POLLIN},
				 {.fd = caller, .events = POLLIN | POLLRDHUP},
				 {.fd = job->signals, .events = POLLIN}};
	if (started)
		relay(job, waits, caller);
	end.length = (uint32_t)hv_rsh_finish(job);
	if (pass_on(&waits[0], caller, HV_RSH_OUT) && pass_on(&waits[1], caller, HV_RSH_ERR))
		hv_rsh_write(caller, &end, sizeof(end));
	return (int)end.length;
}

int hv_rsh_serve(const char *file, const char *name)
{
	struct hv_rsh_host own;
	struct hv_rsh_job job;
	char *command = NULL;
	int listener;
	int caller;
	int code;

	if (!hv_rsh_find(file, name, &own))
		return HV_RSH_FAILED;
	if (!hv_rsh_prepare(&job))
		return HV_RSH_FAILED;
	listener = listen_at(&own);
	caller = listener < 0 ? -1 : await_call(&job, &own, listener, &command);
	if (listener >= 0)
		close(listener);
	if (caller < 0) {
		hv_rsh_finish(&job);
		return HV_RSH_FAILED;
	}
	code = serve(&job, caller, command);
	free(command);
	close(caller);
	return code;
}
