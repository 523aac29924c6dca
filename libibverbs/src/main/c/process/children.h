// Children of a command, and theirs: none is left when it is over, also in sessions and process groups of their own.
#ifndef HV_CHILDREN_H
#define HV_CHILDREN_H

#include <sys/types.h>

// Kills all children of this process, which is the parent of whatever loses its own (PR_SET_CHILD_SUBREAPER), until it
// has none. The status of `child`, as waitpid gives it, goes to `status` if that is still negative.
void hv_end_children(pid_t child, int *status);

// As a shell gives it; `status` is waitpid's.
int hv_exit_code(int status);

#endif
