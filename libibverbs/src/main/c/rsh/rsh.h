// hv-rsh starts the daemons of MPI in guests of a topology, in place of rsh and its server.
//
// A run has a file in each guest, which no other guest sees: a line for each guest that may be called from there, with
// its name, the name of an abstract socket, and a secret. Abstract sockets belong to a network namespace, so guests
// that share one reach each other's; whoever does not know the secret is not served.
#ifndef HV_RSH_H
#define HV_RSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

#define HV_RSH_SECRET_BYTES 32
#define HV_RSH_FAILED 255

// Of a command, all its words.
#define HV_RSH_MAX_COMMAND_BYTES (1 << 20)

struct hv_rsh_host {
	char socket[64];
	char secret[HV_RSH_SECRET_BYTES + 1];
};

// What the server sends: the kind, then the length of what follows. HV_RSH_EXIT has the exit code as its length.
enum hv_rsh_kind { HV_RSH_OUT = 1, HV_RSH_ERR = 2, HV_RSH_EXIT = 3 };

struct hv_rsh_head {
	uint32_t kind;
	uint32_t length;
};

// Finds a guest's line in the file; says what is wrong if there is none.
bool hv_rsh_find(const char *file, const char *name, struct hv_rsh_host *found);

socklen_t hv_rsh_address(const struct hv_rsh_host *host, struct sockaddr_un *address);

bool hv_rsh_read(int descriptor, void *bytes, size_t length);
bool hv_rsh_write(int socket, const void *bytes, size_t length);

int64_t hv_rsh_now_millis(void);

// A command with all that comes of it, also in sessions and process groups of its own.
struct hv_rsh_job {
	pid_t child;
	int status; // of waitpid; -1 while the child runs
	int signals; // a signalfd: SIGCHLD, and those that end
	char folder[32]; // TMPDIR, removed at the end
};

// Makes this process the parent of whatever loses its own, and blocks the signals of the job.
bool hv_rsh_prepare(struct hv_rsh_job *job);

// Standard output and error of the command, or -1 for those of this process.
bool hv_rsh_start(struct hv_rsh_job *job, char *const argv[], int output, int error);

// Takes a signal; false if it asks to end.
bool hv_rsh_take_signal(struct hv_rsh_job *job);

// Asks the child to end if it runs, then ends all that is left. Returns the exit code as a shell gives it.
int hv_rsh_finish(struct hv_rsh_job *job);

int hv_rsh_run(char *const argv[]);
int hv_rsh_serve(const char *file, const char *name);
int hv_rsh_call(const char *file, const char *name, char *const words[]);

#endif
