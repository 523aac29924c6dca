// Runs a command in a Landlock domain of its own: it signals no process outside, and sees neither the memory nor the
// files of one. All executables of a guest and its driver have one user, which would let them do so (landlock(7)).
// usage: hv-apart COMMAND ARGUMENT...
#include <errno.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

int main(int count, char **words)
{
	int error;

	if (count < 2) {
		fprintf(stderr, "usage: hv-apart COMMAND ARGUMENT...\n");
		return 2;
	}
	error = leave_others_alone();
	if (error != 0) {
		fprintf(stderr, "hv: no Landlock domain for %s: %s\n", words[1], strerror(error));
		return NOT_STARTED;
	}
	execvp(words[1], words + 1);
	error = errno;
	if (error == ENOENT)
		fprintf(stderr, "%s: command not found\n", words[1]);
	else
		fprintf(stderr, "%s: %s\n", words[1], strerror(error));
	return error == ENOENT ? NOT_FOUND : NOT_STARTED;
}
