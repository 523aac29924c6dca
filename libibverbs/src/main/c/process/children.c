#include "children.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// The parent of a process: what follows its name, in parentheses, and its state.
static pid_t parent_of(const char *process)
{
	char path[300];
	char text[512];
	const char *rest;
	ssize_t length;
	int file;

	snprintf(path, sizeof(path), "/proc/%s/stat", process);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	length = read(file, text, sizeof(text) - 1);
	close(file);
	if (length <= 0)
		return -1;
	text[length] = '\0';
	rest = strrchr(text, ')');
	return rest == NULL || strlen(rest) < 4 ? -1 : (pid_t)strtol(rest + 4, NULL, 10);
}

static void kill_children(void)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;

	if (processes == NULL)
		return;
	while ((entry = readdir(processes)) != NULL) {
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == getpid())
			kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
	}
	closedir(processes);
}

// Children of one that ends become ours, and have their turn next.
void hv_end_children(pid_t child, int *status)
{
	int ended_with;
	pid_t ended;

	do {
		kill_children();
		ended = waitpid(-1, &ended_with, 0);
		if (ended == child && *status < 0)
			*status = ended_with;
	} while (ended > 0 || errno == EINTR);
}

int hv_exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
