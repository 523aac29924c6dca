/**
 * The only native calls of the project: sealed memory, mappings, packet sockets that carry
 * descriptors, UDP datagrams in batches, eventfd, epoll and process attributes, by
 * java.lang.foreign. Each function is linked
 * when the class that uses it is first touched. Linux, 64 bit. Every failure is a {@link
 * io.hyperverbs.vmm.posix.PosixException} with its errno.
 */
@NullMarked
package io.hyperverbs.vmm.posix;

import org.jspecify.annotations.NullMarked;
