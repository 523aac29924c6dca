package io.hyperverbs.vmm.posix;

/** Error numbers of Linux that this project distinguishes. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int EMSGSIZE = 90;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ETOOMANYREFS = 109;

    private Errno() {}

    static String text(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case ENOENT -> "no such file or directory";
            case EINTR -> "interrupted";
            case EBADF -> "bad file descriptor";
            case EAGAIN -> "try again";
            case ENOMEM -> "out of memory";
            case EACCES -> "permission denied";
            case EINVAL -> "invalid argument";
            case ENFILE, EMFILE -> "out of descriptors";
            case EPIPE -> "broken pipe";
            case EMSGSIZE -> "message too long";
            case ECONNABORTED -> "connection aborted";
            case ECONNRESET -> "connection reset by peer";
            case ENOBUFS -> "out of buffers";
            case ETOOMANYREFS -> "too many descriptors under way";
            default -> "errno " + errno;
        };
    }
}
