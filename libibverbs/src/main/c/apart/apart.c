// Runs a command in a Landlock domain of its own: it signals no process outside, and sees neither the memory nor the
// files of one. All executables of a guest and its driver have one user, which would let them do so (landlock(7)).
// Whatever the command leaves behind is killed when it is over. It is started as the leader of a process group.
// usage: hv-apart COMMAND ARGUMENT...
#include <errno.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../process/children.h"

// Headers of before Linux 6.12 lack these two.
#define ABI_SCOPES 6
#define SCOPE_SIGNAL 2

#define NOT_STARTED 126
#define NOT_FOUND 127

// struct landlock_ruleset_attr of ABI 6.
struct ruleset {
	uint64_t files;
	uint64_t network;
	uint64_t scopes;
};

// 0, or an errno. A kernel without Landlock is no error: what it lacks is said by hv doctor.
static int leave_others_alone(void)
{
	struct ruleset rules = {0};
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	size_t bytes = sizeof(rules);
	long ruleset;

	if (abi < 1)
		return 0;
	if (abi >= ABI_SCOPES) {
		rules.scopes = SCOPE_SIGNAL;
	} else {
		// A domain needs a rule: executables have no right to make devices anyway.
		rules.files = LANDLOCK_ACCESS_FS_MAKE_BLOCK;
		bytes = sizeof(rules.files);
	}
	ruleset = syscall(SYS_landlock_create_ruleset, &rules, bytes, 0);
	if (ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0) != 0)
		return errno;
	close((int)ruleset);
	return 0;
}

// The driver's Java blocks SIGQUIT, and the shell that it starts has that from it.
static void unblock_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void become(char **words)
{
	int error = leave_others_alone();

	if (error != 0) {
		fprintf(stderr, "hv: no Landlock domain for %s: %s\n", words[0], strerror(error));
		_exit(NOT_STARTED);
	}
	unblock_signals();
	execvp(words[0], words);
	error = errno;
	if (error == ENOENT)
		fprintf(stderr, "%s: command not found\n", words[0]);
	else
		fprintf(stderr, "%s: %s\n", words[0], strerror(error));
	_exit(error == ENOENT ? NOT_FOUND : NOT_STARTED);
}

// The group that was made for the command is the command's: signals to it are not for this process, which led it. A group
// of its own has another process's number, that of one which is there for a moment.
static void leave_group(void)
{
	pid_t other = fork();

	if (other == 0) {
		for (;;)
			pause();
	}
	if (other < 0)
		return;
	setpgid(other, other);
	setpgid(0, other);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

int main(int count, char **words)
{
	int status = -1;
	pid_t child;

	if (count < 2) {
		fprintf(stderr, "usage: hv-apart COMMAND ARGUMENT...\n");
		return 2;
	}
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
		perror("hv: cannot watch over a command");
		return NOT_STARTED;
	}
	child = fork();
	if (child == 0)
		become(words + 1);
	if (child < 0) {
		perror("hv: cannot start a command");
		return NOT_STARTED;
	}
	leave_group();
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	// Those of the group at once: one by one they could be faster.
	if (getpgrp() != getpid())
		kill(-getpid(), SIGKILL);
	hv_end_children(child, &status);
	return hv_exit_code(status);
}
