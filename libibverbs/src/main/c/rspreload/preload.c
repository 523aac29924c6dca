// librspreload.so, preloaded: the streams of a program that knows sockets only are those of <rdma/rsocket.h>. A socket
// of that kind has its own number here, so that all other descriptors are the kernel's as before.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "preload.h"

#define NUMBERS 65536

static _Atomic bool known[NUMBERS];

bool hv_preload_is_stream(int number)
{
	return number >= 0 && number < NUMBERS && known[number];
}

static int remember(int number)
{
	if (number >= 0 && number < NUMBERS)
		known[number] = true;
	return number;
}

void *hv_preload_next(void *volatile *found, const char *name)
{
	if (*found == NULL)
		*found = dlsym(RTLD_NEXT, name);
	return *found;
}

// The child of a fork has no verbs: its parent's streams are numbers to it that can be closed.
static void forget_all(void)
{
	for (int i = 0; i < NUMBERS; i++)
		known[i] = false;
	hv_preload_forget_epolls();
}

__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_all);
}

EXPORT int socket(int domain, int type, int protocol)
{
	int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);

	if ((domain == AF_INET || domain == AF_INET6) && kind == SOCK_STREAM
	    && (protocol == 0 || protocol == IPPROTO_TCP))
		return remember(rsocket(domain, type, protocol));
	return NEXT(socket)(domain, type, protocol);
}

EXPORT int accept(int number, struct sockaddr *address, socklen_t *length)
{
	if (hv_preload_is_stream(number))
		return remember(raccept(number, address, length));
	return NEXT(accept)(number, address, length);
}

EXPORT int accept4(int number, struct sockaddr *address, socklen_t *length, int flags)
{
	int accepted;

	if (!hv_preload_is_stream(number))
		return NEXT(accept4)(number, address, length, flags);
	accepted = remember(raccept(number, address, length));
	if (accepted >= 0 && (flags & SOCK_NONBLOCK) != 0)
		rfcntl(accepted, F_SETFL, O_NONBLOCK);
	return accepted;
}

EXPORT int close(int number)
{
	if (!hv_preload_is_stream(number))
		return hv_preload_close_epoll(number), NEXT(close)(number);
	// Another thread may have the number for something else as soon as it is closed.
	known[number] = false;
	hv_preload_leave_epolls(number);
	return rclose(number);
}

// Calls that are the same but for the socket.
#define CALL(type, name, parameters, ...)                                                                              \
	EXPORT type name parameters                                                                                    \
	{                                                                                                              \
		return hv_preload_is_stream(number) ? r##name(__VA_ARGS__) : NEXT(name)(__VA_ARGS__);                  \
	}

CALL(int, bind, (int number, const struct sockaddr *address, socklen_t length), number, address, length)
CALL(int, listen, (int number, int backlog), number, backlog)
CALL(int, connect, (int number, const struct sockaddr *address, socklen_t length), number, address, length)
CALL(int, shutdown, (int number, int how), number, how)
CALL(int, getsockname, (int number, struct sockaddr *address, socklen_t *length), number, address, length)
CALL(int, getpeername, (int number, struct sockaddr *address, socklen_t *length), number, address, length)
CALL(int, setsockopt, (int number, int level, int name, const void *value, socklen_t length), number, level, name,
     value, length)
CALL(int, getsockopt, (int number, int level, int name, void *value, socklen_t *length), number, level, name, value,
     length)
CALL(ssize_t, recv, (int number, void *bytes, size_t length, int flags), number, bytes, length, flags)
CALL(ssize_t, recvfrom,
     (int number, void *bytes, size_t length, int flags, struct sockaddr *address, socklen_t *room), number, bytes,
     length, flags, address, room)
CALL(ssize_t, recvmsg, (int number, struct msghdr *message, int flags), number, message, flags)
CALL(ssize_t, read, (int number, void *bytes, size_t length), number, bytes, length)
CALL(ssize_t, readv, (int number, const struct iovec *parts, int count), number, parts, count)
CALL(ssize_t, send, (int number, const void *bytes, size_t length, int flags), number, bytes, length, flags)
CALL(ssize_t, sendto,
     (int number, const void *bytes, size_t length, int flags, const struct sockaddr *address, socklen_t room), number,
     bytes, length, flags, address, room)
CALL(ssize_t, sendmsg, (int number, const struct msghdr *message, int flags), number, message, flags)
CALL(ssize_t, write, (int number, const void *bytes, size_t length), number, bytes, length)
CALL(ssize_t, writev, (int number, const struct iovec *parts, int count), number, parts, count)

// What programs call instead that are compiled with checks of lengths; the loader knows no r-call for these.
EXPORT ssize_t __read_chk(int number, void *bytes, size_t length, size_t room)
{
	if (length > room)
		__builtin_trap();
	return read(number, bytes, length);
}

EXPORT ssize_t __recv_chk(int number, void *bytes, size_t length, size_t room, int flags)
{
	if (length > room)
		__builtin_trap();
	return recv(number, bytes, length, flags);
}

EXPORT ssize_t __recvfrom_chk(int number, void *bytes, size_t length, size_t room, int flags, struct sockaddr *address,
			      socklen_t *address_room)
{
	if (length > room)
		__builtin_trap();
	return recvfrom(number, bytes, length, flags, address, address_room);
}

static int control(int number, int command, void *argument)
{
	switch (command) {
	case F_SETFL:
	case F_SETFD: return rfcntl(number, command, (int)(intptr_t)argument);
	default: return rfcntl(number, command);
	}
}

#define FCNTL(name)                                                                                                    \
	EXPORT int name(int number, int command, ...)                                                                  \
	{                                                                                                              \
		va_list more;                                                                                          \
		void *argument;                                                                                        \
                                                                                                                       \
		va_start(more, command);                                                                               \
		argument = va_arg(more, void *);                                                                       \
		va_end(more);                                                                                          \
		return hv_preload_is_stream(number) ? control(number, command, argument)                               \
						    : NEXT(name)(number, command, argument);                           \
	}

FCNTL(fcntl)
FCNTL(fcntl64)

EXPORT int ioctl(int number, unsigned long request, ...)
{
	va_list more;
	void *argument;
	int flags;

	va_start(more, request);
	argument = va_arg(more, void *);
	va_end(more);
	if (!hv_preload_is_stream(number))
		return NEXT(ioctl)(number, request, argument);
	if (request != FIONBIO) {
		errno = ENOTTY;
		return -1;
	}
	flags = rfcntl(number, F_GETFL);
	return rfcntl(number, F_SETFL, *(int *)argument != 0 ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

// From a file, by way of memory.
static ssize_t send_file(int number, int from, off_t *offset, size_t count)
{
	char bytes[16384];
	size_t wanted = count < sizeof(bytes) ? count : sizeof(bytes);
	off_t at = offset != NULL ? *offset : lseek(from, 0, SEEK_CUR);
	ssize_t got = at < 0 ? -1 : pread(from, bytes, wanted, at);
	ssize_t sent = got > 0 ? rsend(number, bytes, (size_t)got, 0) : got;

	if (sent > 0 && offset != NULL)
		*offset += sent;
	else if (sent > 0)
		lseek(from, sent, SEEK_CUR);
	return sent;
}

EXPORT ssize_t sendfile(int number, int from, off_t *offset, size_t count)
{
	return hv_preload_is_stream(number) ? send_file(number, from, offset, count)
					    : NEXT(sendfile)(number, from, offset, count);
}

EXPORT ssize_t sendfile64(int number, int from, off_t *offset, size_t count)
{
	return hv_preload_is_stream(number) ? send_file(number, from, offset, count)
					    : NEXT(sendfile64)(number, from, offset, count);
}
