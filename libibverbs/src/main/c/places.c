#include "places.h"

#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "program.h"

// Below the frames of main's callers; deeper calls have the rest of the stack.
#define STACK_BYTES ((size_t)512 << 10)

// All handlers of a fork run on it.
#define OTHER_STACK_BYTES ((size_t)256 << 10)

// The kernel ends the stack with a word of zeros.
#define AFTER_FILE_NAME (1 + sizeof(uint64_t))

static uintptr_t down(uintptr_t address)
{
	return address & ~(uintptr_t)(HV_FRAME_BYTES - 1);
}

struct call {
	void (*run)(void *);
	void *argument;
};

// makecontext passes numbers of 32 bits.
static void enter(unsigned int high, unsigned int low)
{
	struct call *call = (struct call *)((uintptr_t)high << 32 | low);

	call->run(call->argument);
}

bool hv_on_other_stack(void (*run)(void *), void *argument)
{
	struct call call = {run, argument};
	ucontext_t here;
	ucontext_t there;
	long stack;

	if (getcontext(&there) != 0)
		return false;
	stack = syscall(SYS_mmap, NULL, OTHER_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == -1)
		return false;
	there.uc_stack.ss_sp = (void *)stack;
	there.uc_stack.ss_size = OTHER_STACK_BYTES;
	there.uc_link = &here;
	makecontext(&there, (void (*)(void))enter, 2, (unsigned int)((uintptr_t)&call >> 32),
		    (unsigned int)(uintptr_t)&call);
	swapcontext(&here, &there);
	syscall(SYS_munmap, stack, OTHER_STACK_BYTES);
	return true;
}

struct change {
	const struct hv_program *program;
	const struct hv_place *place;
	bool is_done;
};

// Frames that hold nothing stay without memory behind them.
static void copy_frames(uint8_t *to, const uint8_t *from, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += HV_FRAME_BYTES) {
		if (!hv_frame_is_zero(from + at) || !hv_frame_is_zero(to + at))
			memcpy(to + at, from + at, HV_FRAME_BYTES);
	}
}

// Nobody may use the place meanwhile: hence another stack, and one thread.
static void share(void *argument)
{
	struct change *change = argument;
	const struct hv_place *place = change->place;
	uint8_t *frames = change->program->base + place->offset;

	copy_frames(frames, place->address, place->bytes);
	// Of a shared mapping, no bytes "moved" is a second mapping of the same memory.
	change->is_done = syscall(SYS_mremap, frames, 0, place->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place->address)
			  != -1;
}

// Whether it was done: `change`, on another stack.
static bool is_done_elsewhere(void (*run)(void *), const struct hv_program *program, const struct hv_place *place)
{
	struct change change = {program, place, false};

	return hv_on_other_stack(run, &change) && change.is_done;
}

// Until it is copied the place is empty, and the caller's frame may be in it.
static void keep(void *argument)
{
	struct change *change = argument;
	const struct hv_place place = *change->place;
	const uint8_t *frames = change->program->base + place.offset;

	if (syscall(SYS_mmap, place.address, place.bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
	    == -1)
		return;
	copy_frames(place.address, frames, place.bytes);
	change->is_done = true;
}

static void move(struct hv_program *program, uintptr_t from, uintptr_t to)
{
	struct hv_place *place = program->places;
	uint8_t *frames;

	while (place < program->places + HV_MAX_PLACES && place->bytes != 0)
		place++;
	if (place == program->places + HV_MAX_PLACES || from >= to || to - from > program->bytes / 4)
		return;
	frames = hv_program_take(program, to - from);
	if (frames == NULL)
		return;
	*place = (struct hv_place){(uint8_t *)from, to - from, (size_t)(frames - program->base)};
	if (!is_done_elsewhere(share, program, place)) {
		place->bytes = 0;
		hv_program_give(program, frames, to - from);
	}
}

// Of the program itself, which is the first that the loader names; not of its libraries.
static int move_data(struct dl_phdr_info *loaded, size_t size, void *argument)
{
	uintptr_t written_once = 0; // what the loader made read-only again ends here

	(void)size;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &loaded->dlpi_phdr[i];

		if (part->p_type == PT_GNU_RELRO)
			written_once = down(loaded->dlpi_addr + part->p_vaddr + part->p_memsz);
	}
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &loaded->dlpi_phdr[i];
		uintptr_t from = down(loaded->dlpi_addr + part->p_vaddr);
		uintptr_t to = hv_whole_frames(loaded->dlpi_addr + part->p_vaddr + part->p_memsz);

		if (part->p_type == PT_LOAD && (part->p_flags & (PF_W | PF_X)) == PF_W)
			move(argument, from < written_once && written_once <= to ? written_once : from, to);
	}
	return 1;
}

// The kernel puts the name of the file at the very top.
static void move_stack(struct hv_program *program)
{
	const char *name = (const char *)getauxval(AT_EXECFN);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t from = down(here) - STACK_BYTES;

	if (name == NULL)
		return;
	// The kernel lets the stack grow below what is moved: it has to reach there before that.
	*(volatile char *)(from - 1) = 0;
	move(program, from, hv_whole_frames((uintptr_t)name + strlen(name) + AFTER_FILE_NAME));
}

void hv_places_move(struct hv_program *program)
{
	// Others might write to them meanwhile.
	if (!__libc_single_threaded)
		return;
	dl_iterate_phdr(move_data, program);
	move_stack(program);
}

static struct hv_place *place_of(struct hv_program *program, const void *address, size_t bytes)
{
	for (struct hv_place *place = program->places; place < program->places + HV_MAX_PLACES; place++) {
		size_t offset = (size_t)((uintptr_t)address - (uintptr_t)place->address);

		if (offset < place->bytes && bytes <= place->bytes - offset)
			return place;
	}
	return NULL;
}

int64_t hv_places_offset(struct hv_program *program, const void *address, size_t bytes)
{
	const struct hv_place *place = place_of(program, address, bytes);

	return place == NULL ? -1 : (int64_t)(place->offset + (size_t)((const uint8_t *)address - place->address));
}

bool hv_places_have_stack(struct hv_program *program)
{
	return place_of(program, __builtin_frame_address(0), 1) != NULL;
}

void hv_places_keep_stack(struct hv_program *program)
{
	struct hv_place *place = place_of(program, __builtin_frame_address(0), 1);

	// Its frames stay taken: regions may name them.
	if (place != NULL && is_done_elsewhere(keep, program, place))
		place->bytes = 0;
}

void hv_places_copy(struct hv_program *program)
{
	for (struct hv_place *place = program->places; place < program->places + HV_MAX_PLACES; place++) {
		struct change change = {program, place, false};

		if (place->bytes != 0)
			keep(&change);
	}
}

void hv_places_share(struct hv_program *program)
{
	for (struct hv_place *place = program->places; place < program->places + HV_MAX_PLACES; place++) {
		if (place->bytes != 0 && !is_done_elsewhere(share, program, place))
			place->bytes = 0;
	}
}
