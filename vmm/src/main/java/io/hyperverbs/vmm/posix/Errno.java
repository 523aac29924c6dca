package io.hyperverbs.vmm.posix;

/** Error numbers of Linux that this project distinguishes. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int ENOTSOCK = 88;
    public static final int EMSGSIZE = 90;
    public static final int ENOPROTOOPT = 92;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETUNREACH = 101;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ETOOMANYREFS = 109;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;

    private Errno() {}

    static String text(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case ENOENT -> "no such file or directory";
            case EINTR -> "interrupted";
            case EIO -> "input/output error";
            case EBADF -> "bad file descriptor";
            case EAGAIN -> "try again";
            case ENOMEM -> "out of memory";
            case EACCES -> "permission denied";
            case EFAULT -> "bad address";
            case EBUSY -> "busy";
            case ENODEV -> "no such device";
            case EINVAL -> "invalid argument";
            case ENFILE, EMFILE -> "out of descriptors";
            case EPIPE -> "broken pipe";
            case ENOTSOCK -> "not a socket";
            case EMSGSIZE -> "message too long";
            case ENOPROTOOPT -> "no such option";
            case EADDRINUSE -> "address in use";
            case EADDRNOTAVAIL -> "no such address here";
            case ENETUNREACH -> "network unreachable";
            case ECONNABORTED -> "connection aborted";
            case ECONNRESET -> "connection reset by peer";
            case ENOBUFS -> "out of buffers";
            case ETOOMANYREFS -> "too many descriptors under way";
            case ECONNREFUSED -> "connection refused";
            case EHOSTUNREACH -> "host unreachable";
            default -> "errno " + errno;
        };
    }
}
