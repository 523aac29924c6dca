package io.hyperverbs.vmm.posix;

/** Who made the other end of a socket, as this process's namespaces number them. */
public record PeerCredentials(int pid, int uid, int gid) {}
