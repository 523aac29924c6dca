// The list of devices, which has one: the guest's HCA.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <fcntl.h>

#include "verbs.h"

#define NAME "hv0"
#define CLASS_FOLDER "/sys/class/infiniband/" NAME

static struct hv_device the_device = {
	.device = {
		.node_type = IBV_NODE_CA,
		.transport_type = IBV_TRANSPORT_IB,
		.name = NAME,
		.dev_name = "uverbs0",
		.dev_path = "/sys/class/infiniband_verbs/uverbs0",
		.ibdev_path = CLASS_FOLDER,
	},
};

struct ibv_device **ibv_get_device_list(int *count)
{
	// A child that its parent forked begins here. What it closes of its parent's does not come by, and takes nothing.
	bool is_there = hv_adopt_program() == 0 && hv_the_program() != NULL;
	struct ibv_device **list = calloc(2, sizeof(*list));

	if (list == NULL)
		return hv_null(ENOMEM);
	if (is_there)
		list[0] = &the_device.device;
	if (count != NULL)
		*count = is_there ? 1 : 0;
	errno = 0;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

const char *ibv_get_device_name(struct ibv_device *device)
{
	return device->name;
}

int ibv_get_device_index(struct ibv_device *device)
{
	(void)device;
	return 0;
}

// A program may ask before it has opened the device.
static int learn(struct hv_device *device)
{
	struct ibv_context *context;

	if (device->is_known)
		return 0;
	context = ibv_open_device(&device->device);
	return context == NULL ? errno : ibv_close_device(context);
}

__be64 ibv_get_device_guid(struct ibv_device *device)
{
	struct hv_device *known = (struct hv_device *)device;
	int error = learn(known);

	if (error != 0) {
		errno = error;
		return 0;
	}
	return known->attributes.node_guid;
}

// These are exported and in no header.
HV_EXPORT const char *ibv_get_sysfs_path(void);
HV_EXPORT int ibv_read_sysfs_file(const char *folder, const char *file, char *text, size_t size);
HV_EXPORT int ibv_read_ibdev_sysfs_file(char *text, size_t size, struct ibv_device *device, const char *file, ...);

const char *ibv_get_sysfs_path(void)
{
	return "/sys";
}

// What programs read of a device's folder: there is none in a guest.
static int answer(const char *file, char *text, size_t size)
{
	uint64_t guid = be64toh(the_device.attributes.node_guid);

	if (strcmp(file, "board_id") == 0)
		return snprintf(text, size, "%s", the_device.board_id);
	if (strcmp(file, "hca_type") == 0)
		return snprintf(text, size, "hyperverbs");
	if (strcmp(file, "node_type") == 0)
		return snprintf(text, size, "%d: CA", IBV_NODE_CA);
	if (strcmp(file, "fw_ver") == 0)
		return snprintf(text, size, "%s", the_device.attributes.fw_ver);
	if (strcmp(file, "node_guid") == 0)
		return snprintf(text, size, "%04x:%04x:%04x:%04x", (unsigned)(guid >> 48) & 0xffff,
				(unsigned)(guid >> 32) & 0xffff, (unsigned)(guid >> 16) & 0xffff,
				(unsigned)guid & 0xffff);
	errno = ENOENT;
	return -1;
}

int ibv_read_sysfs_file(const char *folder, const char *file, char *text, size_t size)
{
	char path[512];
	int descriptor;
	ssize_t length;

	if (strcmp(folder, CLASS_FOLDER) == 0)
		return learn(&the_device) == 0 ? answer(file, text, size) : -1;
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, file) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return -1;
	length = read(descriptor, text, size);
	close(descriptor);
	if (length > 0 && text[length - 1] == '\n')
		text[--length] = 0;
	else if (length >= 0 && (size_t)length < size)
		text[length] = 0;
	return (int)length;
}

int ibv_read_ibdev_sysfs_file(char *text, size_t size, struct ibv_device *device, const char *file, ...)
{
	return ibv_read_sysfs_file(device->ibdev_path, file, text, size);
}
