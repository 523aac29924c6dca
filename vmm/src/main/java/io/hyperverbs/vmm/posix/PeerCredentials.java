package io.hyperverbs.vmm.posix;

/** Process, user and group of a socket's other end, as this process's namespaces number them. */
public record PeerCredentials(int pid, int uid, int gid) {}
