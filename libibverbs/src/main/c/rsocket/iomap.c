// Memory of the program that its peer writes to without a copy (riomap, riowrite).
#include <sys/mman.h>

#include "rsocket.h"

// Copies the entry that has all of it: the peer may change its own at any time.
static bool find_target(const struct hv_rs *rs, uint64_t offset, size_t length, struct hv_rs_iomap *target)
{
	for (uint32_t i = 0; i < rs->iomap_room; i++) {
		*target = rs->said->iomaps[i];
		if (target->length != 0 && offset >= target->offset && offset - target->offset <= target->length
		    && length <= target->length - (offset - target->offset))
			return true;
	}
	return false;
}

static int find_mapping(const struct hv_rs *rs, const void *address, size_t length)
{
	for (int i = 0; i < HV_RS_MAX_IOMAPS; i++) {
		if (rs->mappings[i].length == length && rs->mappings[i].address == address)
			return i;
	}
	return -1;
}

static bool is_able(struct hv_rs *rs)
{
	return hv_rs_room(rs) > 0 || hv_rs_is_over(rs);
}

static int tell(struct hv_rs *rs, int index, uint32_t length)
{
	const struct hv_rs_mapping *mapping = &rs->mappings[index];
	int error = 0;

	rs->saying->iomaps[index] = (struct hv_rs_iomap){
		.offset = mapping->offset,
		.address = (uintptr_t)mapping->address,
		.rkey = mapping->mr->rkey,
		.length = length,
	};
	while (error == 0 && !hv_rs_send_iomap(rs, (uint32_t)index))
		error = hv_rs_wait(rs, is_able, rs->send_ms);
	return error;
}

static int map(struct hv_rs *rs, void *address, size_t length, bool is_written, off_t *offset)
{
	// The peer's table has places for those that it writes to; the others are behind them.
	int end = is_written ? rs->peer.iomaps : HV_RS_MAX_IOMAPS;
	int index = is_written ? 0 : rs->peer.iomaps;
	struct hv_rs_mapping *mapping;

	while (index < end && rs->mappings[index].length != 0)
		index++;
	if (index >= end)
		return ENOBUFS;
	mapping = &rs->mappings[index];
	mapping->mr = NULL;
	if (is_written) {
		mapping->mr = ibv_reg_mr(rs->id->pd, address, length,
					 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
		if (mapping->mr == NULL)
			return errno;
	}
	mapping->address = address;
	mapping->length = length;
	mapping->offset = *offset == -1 ? (uintptr_t)address : (uint64_t)*offset;
	*offset = (off_t)mapping->offset;
	return is_written ? tell(rs, index, (uint32_t)length) : 0;
}

off_t riomap(int number, void *address, size_t length, int protection, int flags, off_t offset)
{
	struct hv_rs *rs = hv_rs_lock(number);
	int error;

	if (rs == NULL)
		return -1;
	if (rs->state != HV_RS_CONNECTED)
		error = ENOTCONN;
	else if (flags != 0 || length == 0 || length > UINT32_MAX || (protection & ~(PROT_READ | PROT_WRITE)) != 0)
		error = EINVAL;
	else
		error = map(rs, address, length, (protection & PROT_WRITE) != 0, &offset);
	return hv_rs_answer(rs, error) == 0 ? offset : -1;
}

int riounmap(int number, void *address, size_t length)
{
	struct hv_rs *rs = hv_rs_lock(number);
	struct hv_rs_mapping *mapping;
	int error = 0;
	int index;

	if (rs == NULL)
		return -1;
	index = length == 0 ? -1 : find_mapping(rs, address, length);
	if (index < 0)
		return hv_rs_answer(rs, EINVAL);
	mapping = &rs->mappings[index];
	if (mapping->mr != NULL) {
		if (!hv_rs_is_over(rs))
			error = tell(rs, index, 0);
		ibv_dereg_mr(mapping->mr);
	}
	mapping->mr = NULL;
	mapping->length = 0;
	return hv_rs_answer(rs, error);
}

size_t riowrite(int number, const void *bytes, size_t length, off_t offset, int flags)
{
	struct hv_rs *rs = hv_rs_lock(number);
	struct hv_rs_iomap target = {0};
	size_t written = 0;
	int error = 0;

	if (rs == NULL)
		return (size_t)-1;
	hv_rs_look(rs);
	if (rs->state != HV_RS_CONNECTED)
		error = ENOTCONN;
	else if (!find_target(rs, (uint64_t)offset, length, &target))
		error = EINVAL;
	while (error == 0 && written < length) {
		uint64_t to = target.address + ((uint64_t)offset - target.offset) + written;
		uint32_t room = hv_rs_room(rs);

		if (hv_rs_is_over(rs)) {
			error = ECONNRESET;
		} else if (room > 0) {
			if (room > length - written)
				room = (uint32_t)(length - written);
			hv_rs_write(rs, (const uint8_t *)bytes + written, room, to, target.rkey);
			written += room;
		} else if ((flags & MSG_DONTWAIT) != 0 || hv_rs_is_nonblocking(rs)) {
			error = EAGAIN;
		} else {
			error = hv_rs_wait(rs, is_able, rs->send_ms);
		}
	}
	hv_rs_answer(rs, written > 0 ? 0 : error);
	return written > 0 || error == 0 ? written : (size_t)-1;
}
