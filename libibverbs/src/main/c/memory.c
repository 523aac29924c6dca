// libhvmemory.so, preloaded: what a program maps for itself lies in the guest's RAM from the start, so that any of it
// can be registered. A preloaded allocator that maps its heap by mmap (mimalloc) brings malloc's memory along.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "program.h"

#define EXPORT __attribute__((visibility("default")))

static struct hv_program program = HV_PROGRAM_INITIALIZER;

// What the child of a fork gets in place of the memory, while one is under way.
static void *copy;

EXPORT struct hv_program *hv_connection(void)
{
	return &program;
}

static bool is_ours(const void *address)
{
	return hv_program_offset(&program, address, 1) >= 0;
}

static bool is_within(const void *address, size_t bytes)
{
	return hv_program_offset(&program, address, bytes) >= 0;
}

// Thread stacks, huge pages and places that the program insists on are the kernel's.
static bool is_for_us(size_t length, int protection, int flags)
{
	const int others = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN | MAP_STACK | MAP_HUGETLB | MAP_32BIT;

	return length >= HV_FRAME_BYTES && length <= SIZE_MAX - HV_FRAME_BYTES
	       && protection == (PROT_READ | PROT_WRITE) && (flags & MAP_TYPE) == MAP_PRIVATE
	       && (flags & MAP_ANONYMOUS) != 0 && (flags & others) == 0;
}

static int is_verbs_library(struct dl_phdr_info *loaded, size_t size, void *unused)
{
	// The others load it themselves, later.
	static const char *const names[] = {"libibverbs.so", "libuct.so", "libfabric.so", "libmpi.so", "libmpich.so"};

	(void)size;
	(void)unused;
	for (size_t i = 0; loaded->dlpi_name != NULL && i < sizeof(names) / sizeof(names[0]); i++) {
		if (strstr(loaded->dlpi_name, names[i]) != NULL)
			return 1;
	}
	return 0;
}

// A guest has memory for a few programs alone, so it is not for shells and their tools: the loader has all libraries
// that a program is linked with in place before anything is mapped by it. One that loads them later has to say so.
static bool is_verbs_program(void)
{
	static _Atomic int known; // 0: not decided, 1: no, 2: yes
	int decided = known;

	if (decided == 0) {
		const char *said = getenv("HV_VERBS_MEMORY");
		bool always = said != NULL && strcmp(said, "always") == 0;

		decided = always || dl_iterate_phdr(is_verbs_library, NULL) != 0 ? 2 : 1;
		known = decided;
	}
	return decided == 2;
}

// Over memory of ours only fresh memory can be laid: it becomes zero.
static void *map_over(void *address, size_t length, int protection, int flags)
{
	if ((flags & MAP_ANONYMOUS) == 0 || (flags & MAP_TYPE) != MAP_PRIVATE || !is_within(address, length)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	syscall(SYS_mprotect, address, hv_whole_frames(length), PROT_READ | PROT_WRITE);
	memset(address, 0, hv_whole_frames(length));
	if (protection != (PROT_READ | PROT_WRITE))
		syscall(SYS_mprotect, address, hv_whole_frames(length), protection);
	return address;
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
	if ((flags & MAP_FIXED) != 0 && length > 0 && is_ours(address))
		return map_over(address, length, protection, flags);
	if (is_for_us(length, protection, flags) && is_verbs_program() && hv_program_connect(&program) == 0) {
		void *taken = hv_program_take(&program, length);

		if (taken != NULL)
			return taken;
	}
	return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
	return mmap(address, length, protection, flags, descriptor, offset);
}

EXPORT int munmap(void *address, size_t length)
{
	if (!is_ours(address))
		return (int)syscall(SYS_munmap, address, length);
	if (length == 0 || (uintptr_t)address % HV_FRAME_BYTES != 0 || !is_within(address, length)) {
		errno = EINVAL;
		return -1;
	}
	hv_program_give(&program, address, hv_whole_frames(length));
	return 0;
}

static bool extend(uint8_t *end, size_t more)
{
	size_t first = (size_t)(end - program.base) / HV_FRAME_BYTES;
	bool taken;

	hv_lock(&program.allocating);
	taken = hv_frames_take_at(&program.frames, first, more / HV_FRAME_BYTES);
	hv_unlock(&program.allocating);
	return taken;
}

static void *remap_ours(void *address, size_t length, size_t other, int flags)
{
	size_t had = hv_whole_frames(length);
	size_t wanted = hv_whole_frames(other);
	void *moved;

	if (other == 0 || (flags & ~MREMAP_MAYMOVE) != 0 || !is_within(address, length)) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (wanted < had)
		hv_program_give(&program, (uint8_t *)address + wanted, had - wanted);
	if (wanted <= had || extend((uint8_t *)address + had, wanted - had))
		return address;
	moved = (flags & MREMAP_MAYMOVE) != 0 ? mmap(NULL, other, PROT_READ | PROT_WRITE,
						     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
					      : MAP_FAILED;
	if (moved == MAP_FAILED) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	memcpy(moved, address, had);
	hv_program_give(&program, address, had);
	return moved;
}

EXPORT void *mremap(void *address, size_t length, size_t other, int flags, ...)
{
	void *place = NULL;

	if (is_ours(address))
		return remap_ours(address, length, other, flags);
	if ((flags & MREMAP_FIXED) != 0) {
		va_list more;

		va_start(more, flags);
		place = va_arg(more, void *);
		va_end(more);
		if (is_ours(place)) {
			errno = ENOMEM;
			return MAP_FAILED;
		}
	}
	return (void *)syscall(SYS_mremap, address, length, other, flags, place);
}

// What a program gives up reads as zero after that, as memory of its own would.
EXPORT int madvise(void *address, size_t length, int advice)
{
	if (length > 0 && is_ours(address) && is_within(address, length)) {
		if (advice == MADV_DONTNEED)
			memset(address, 0, hv_whole_frames(length));
		if (advice == MADV_DONTNEED || advice == MADV_FREE)
			return 0;
	}
	return (int)syscall(SYS_madvise, address, length, advice);
}

// A forked child would share what it writes with its parent, and with the HCA. It gets a copy, made before there are
// two: the child only has to lay it over the memory. Frames that hold nothing cost nothing.
static void before_fork(void)
{
	// Nobody is in the middle of a call or of a change to the frames.
	pthread_mutex_lock(&program.calling);
	hv_lock(&program.connecting);
	hv_lock(&program.allocating);
	if (program.state != HV_PROGRAM_CONNECTED)
		return;
	// Not by our fork: within the C library (daemon, forkpty). Parent and child cannot both run on this stack.
	if (hv_places_have_stack(&program))
		hv_places_keep_stack(&program);
	copy = (void *)syscall(SYS_mmap, NULL, program.bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (copy == MAP_FAILED)
		return;
	for (size_t frame = 0; frame < program.frames.count; frame++) {
		const uint8_t *from = program.base + frame * HV_FRAME_BYTES;

		if (hv_frames_is_used(&program.frames, frame) && !hv_frame_is_zero(from))
			memcpy((uint8_t *)copy + frame * HV_FRAME_BYTES, from, HV_FRAME_BYTES);
	}
}

static void unlock(void)
{
	hv_unlock(&program.allocating);
	hv_unlock(&program.connecting);
	pthread_mutex_unlock(&program.calling);
}

static void in_parent(void)
{
	if (program.state == HV_PROGRAM_CONNECTED && copy != MAP_FAILED)
		syscall(SYS_munmap, copy, program.bytes);
	unlock();
}

static void in_child(void)
{
	if (program.state == HV_PROGRAM_CONNECTED) {
		// Without a copy it must not go on: it would write into its parent's heap.
		if (copy == MAP_FAILED
		    || syscall(SYS_mremap, copy, program.bytes, program.bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			       program.base) == -1) {
			static const char words[] = "libhvmemory: no memory for the child of a fork\n";
			long unused = syscall(SYS_write, STDERR_FILENO, words, sizeof(words) - 1);

			(void)unused;
			syscall(SYS_exit_group, 127);
		}
		hv_places_copy(&program);
		syscall(SYS_close, program.socket);
		syscall(SYS_close, program.doorbell);
		program.socket = -1;
		program.doorbell = -1;
		program.state = HV_PROGRAM_FORKED;
	}
	unlock();
}

struct forking {
	pid_t (*fork)(void);
	pid_t result;
};

static void fork_there(void *argument)
{
	struct forking *forking = argument;

	forking->result = forking->fork();
}

// While the kernel makes two processes of one, neither runs on a stack that both have.
EXPORT pid_t fork(void)
{
	static pid_t (*original)(void);
	struct forking forking;

	if (original == NULL)
		original = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
	forking = (struct forking){original, -1};
	if (!hv_places_have_stack(&program))
		return forking.fork();
	if (!hv_on_other_stack(fork_there, &forking))
		errno = ENOMEM;
	return forking.result;
}

__attribute__((constructor)) static void begin(void)
{
	pthread_atfork(before_fork, in_parent, in_child);
	if (is_verbs_program() && hv_program_connect(&program) == 0)
		hv_places_move(&program);
}
