package io.hyperverbs.vmm.posix;

import java.io.IOException;

/** A C function failed. */
public final class PosixException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String message;
    private final int errno;

    /** Also for refusals found before the call, in the same words. */
    public PosixException(String what, int errno) {
        this.message = what + ": " + Errno.text(errno);
        this.errno = errno;
    }

    @Override
    public String getMessage() {
        return message;
    }

    /**
     * Whether this computer has no more of what the call needs, or could not wait for it: the same
     * call may succeed later.
     */
    public boolean isShortage() {
        return switch (errno) {
            case Errno.EAGAIN, Errno.ENOMEM, Errno.ENFILE, Errno.EMFILE, Errno.ENOBUFS, Errno.ETOOMANYREFS -> true;
            default -> false;
        };
    }

    /** One of {@link Errno}, or any other that Linux has. */
    public int errno() {
        return errno;
    }
}
