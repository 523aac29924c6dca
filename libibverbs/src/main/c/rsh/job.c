// Children of a command, and their children: none is left when it is over.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../process/children.h"
#include "rsh.h"

// Who cancels a command of a guest kills it two seconds later.
#define GRACE_MILLIS 1200

#define MAX_OPEN_FOLDERS 16

int64_t hv_rsh_now_millis(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void watched(sigset_t *set)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(set, signals[i]);
}

bool hv_rsh_prepare(struct hv_rsh_job *job)
{
	sigset_t set;

	memset(job, 0, sizeof(*job));
	job->status = -1;
	signal(SIGPIPE, SIG_IGN);
	watched(&set);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
		perror("hv-rsh: cannot watch over a command");
		return false;
	}
	job->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (job->signals < 0) {
		perror("hv-rsh: signalfd");
		return false;
	}
	strcpy(job->folder, "/tmp/mpi.XXXXXX");
	if (mkdtemp(job->folder) == NULL) {
		perror("hv-rsh: /tmp");
		job->folder[0] = '\0';
		return false;
	}
	setenv("TMPDIR", job->folder, 1);
	return true;
}

static void become(char *const argv[], int output, int error)
{
	sigset_t set;
	int input = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (input >= 0)
		dup2(input, STDIN_FILENO);
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	if (error >= 0)
		dup2(error, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	watched(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	execvp(argv[0], argv);
	fprintf(stderr, "hv-rsh: %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

bool hv_rsh_start(struct hv_rsh_job *job, char *const argv[], int output, int error)
{
	job->child = fork();
	if (job->child == 0)
		become(argv, output, error);
	if (job->child < 0) {
		perror("hv-rsh: fork");
		job->child = 0;
	}
	return job->child > 0;
}

static void reap(struct hv_rsh_job *job)
{
	int status;
	pid_t ended;

	while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
		if (ended == job->child)
			job->status = status;
	}
}

bool hv_rsh_take_signal(struct hv_rsh_job *job)
{
	struct signalfd_siginfo taken;

	while (read(job->signals, &taken, sizeof(taken)) == (ssize_t)sizeof(taken)) {
		if (taken.ssi_signo != SIGCHLD)
			return false;
	}
	reap(job);
	return true;
}

static void await_child(struct hv_rsh_job *job)
{
	int64_t end = hv_rsh_now_millis() + GRACE_MILLIS;
	struct pollfd signals = {.fd = job->signals, .events = POLLIN};

	while (job->status < 0) {
		int64_t left = end - hv_rsh_now_millis();

		if (left <= 0)
			return;
		if (poll(&signals, 1, (int)left) > 0)
			hv_rsh_take_signal(job);
		reap(job);
	}
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *place)
{
	(void)found;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

int hv_rsh_finish(struct hv_rsh_job *job)
{
	if (job->child > 0 && job->status < 0) {
		kill(job->child, SIGTERM);
		await_child(job);
	}
	hv_end_children(job->child, &job->status);
	if (job->folder[0] != '\0')
		nftw(job->folder, remove_one, MAX_OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
	if (job->child == 0 || job->status < 0)
		return HV_RSH_FAILED;
	return hv_exit_code(job->status);
}

int hv_rsh_run(char *const argv[])
{
	struct hv_rsh_job job;

	if (hv_rsh_prepare(&job) && hv_rsh_start(&job, argv, -1, -1)) {
		struct pollfd signals = {.fd = job.signals, .events = POLLIN};

		while (job.status < 0) {
			if (poll(&signals, 1, -1) > 0 && !hv_rsh_take_signal(&job))
				break;
		}
	}
	return hv_rsh_finish(&job);
}
