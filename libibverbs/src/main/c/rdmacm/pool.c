// Memory for ids, events and groups. Not the program's malloc: its allocator takes some 32 MiB of the program's memory for each
// thread that allocates, and the library's own is one more.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cm.h"

#define BLOCK_BYTES 1024
#define CHUNK_BYTES (64 * BLOCK_BYTES)

_Static_assert(sizeof(struct hv_cm_event) <= BLOCK_BYTES && sizeof(struct hv_cm_id) <= BLOCK_BYTES,
	       "both fit into a block, and a group is smaller");

struct block {
	struct block *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *unused;

static void add_chunk(void)
{
	// As a system call, since libhvmemory.so serves mmap from the program's memory.
	long chunk = syscall(SYS_mmap, NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (long at = 0; chunk != -1 && at < CHUNK_BYTES; at += BLOCK_BYTES) {
		struct block *block = (struct block *)(chunk + at);

		block->next = unused;
		unused = block;
	}
}

void *hv_cm_take_block(void)
{
	struct block *block;

	pthread_mutex_lock(&lock);
	if (unused == NULL)
		add_chunk();
	block = unused;
	if (block != NULL)
		unused = block->next;
	pthread_mutex_unlock(&lock);
	return block == NULL ? NULL : memset(block, 0, BLOCK_BYTES);
}

void hv_cm_give_block(void *taken)
{
	struct block *block = taken;

	pthread_mutex_lock(&lock);
	block->next = unused;
	unused = block;
	pthread_mutex_unlock(&lock);
}
