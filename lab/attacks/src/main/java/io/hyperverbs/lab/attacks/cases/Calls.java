package io.hyperverbs.lab.attacks.cases;

/** Numbers of system calls on x86-64. */
final class Calls {
    static final int WRITE = 1;
    static final int CLOSE = 3;
    static final int MMAP = 9;
    static final int MPROTECT = 10;
    static final int MUNMAP = 11;
    static final int IOCTL = 16;
    static final int PWRITE64 = 18;
    static final int MADVISE = 28;
    static final int SHMGET = 29;
    static final int SOCKET = 41;
    static final int SENDMSG = 46;
    static final int SHUTDOWN = 48;
    static final int GETPEERNAME = 52;
    static final int SOCKETPAIR = 53;
    static final int GETSOCKOPT = 55;
    static final int CLONE = 56;
    static final int FORK = 57;
    static final int EXECVE = 59;
    static final int KILL = 62;
    static final int FCNTL = 72;
    static final int FTRUNCATE = 77;
    static final int CHDIR = 80;
    static final int MKDIR = 83;
    static final int RMDIR = 84;
    static final int UNLINK = 87;
    static final int CHMOD = 90;
    static final int CHOWN = 92;
    static final int PTRACE = 101;
    static final int RT_SIGQUEUEINFO = 129;
    static final int UTIME = 132;
    static final int SETPRIORITY = 141;
    static final int SCHED_SETSCHEDULER = 144;
    static final int SETXATTR = 188;
    static final int TKILL = 200;
    static final int SCHED_SETAFFINITY = 203;
    static final int IO_SETUP = 206;
    static final int EXIT_GROUP = 231;
    static final int TGKILL = 234;
    static final int UTIMES = 235;
    static final int IOPRIO_SET = 251;
    static final int OPENAT = 257;
    static final int MKDIRAT = 258;
    static final int FCHMODAT = 268;
    static final int UTIMENSAT = 280;
    static final int FALLOCATE = 285;
    static final int PIPE2 = 293;
    static final int PRLIMIT64 = 302;
    static final int PROCESS_VM_READV = 310;
    static final int PROCESS_VM_WRITEV = 311;
    static final int KCMP = 312;
    static final int SCHED_SETATTR = 314;
    static final int MEMFD_CREATE = 319;
    static final int IO_URING_SETUP = 425;
    static final int PIDFD_OPEN = 434;
    static final int CLONE3 = 435;
    static final int PIDFD_GETFD = 438;
    static final int FCHMODAT2 = 452;

    private Calls() {}
}
