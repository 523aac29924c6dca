#include "packets.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "hv_constants.h"

// Codes of control verbs are errno values above this.
#define STATUS_BASE (HV_VERBS_STATUS_EPERM - EPERM)

int hv_status_errno(uint32_t status)
{
	if (status <= STATUS_BASE)
		return EIO;
	// What the driver does not have is what libibverbs calls not supported.
	return status == HV_VERBS_STATUS_ENOSYS ? EOPNOTSUPP : (int)status - STATUS_BASE;
}

long hv_send_packet(int socket, const void *head, size_t head_length, const void *body, size_t length)
{
	struct iovec parts[2] = {{(void *)head, head_length}, {(void *)body, length}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	long sent;

	do {
		sent = syscall(SYS_sendmsg, socket, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent < 0)
		return errno == EPIPE ? -ECONNRESET : -errno;
	return 0;
}

static void take_descriptors(struct msghdr *message, int descriptors[HV_MAX_DESCRIPTORS])
{
	int found = 0;

	for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head != NULL; head = CMSG_NXTHDR(message, head)) {
		if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + CMSG_LEN(sizeof(int)) <= head->cmsg_len; at += sizeof(int)) {
			int descriptor;

			memcpy(&descriptor, CMSG_DATA(head) + at, sizeof(int));
			if (found < HV_MAX_DESCRIPTORS)
				descriptors[found++] = descriptor;
			else
				syscall(SYS_close, descriptor);
		}
	}
}

long hv_receive_packet(int socket, void *bytes, size_t room, int descriptors[HV_MAX_DESCRIPTORS])
{
	_Alignas(struct cmsghdr) uint8_t control[CMSG_SPACE(HV_MAX_DESCRIPTORS * sizeof(int))];
	struct iovec part = {bytes, room};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	long length;

	for (int i = 0; i < HV_MAX_DESCRIPTORS; i++)
		descriptors[i] = -1;
	do {
		length = syscall(SYS_recvmsg, socket, &message, MSG_CMSG_CLOEXEC);
	} while (length < 0 && errno == EINTR);
	if (length < 0)
		return -errno;
	take_descriptors(&message, descriptors);
	if (length == 0)
		return -ECONNRESET;
	return (message.msg_flags & MSG_TRUNC) != 0 ? -EMSGSIZE : length;
}
