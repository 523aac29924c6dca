package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.posix.PosixException;

/** How a failure inside the VMM is answered. */
final class FailureStatus {
    private FailureStatus() {}

    /** ENOMEM where memory, threads or descriptors ran out, else EIO. */
    static VerbsStatus of(Throwable failure) {
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (one instanceof OutOfMemoryError || (one instanceof PosixException posix && posix.isShortage())) {
                return VerbsStatus.ENOMEM;
            }
        }
        return VerbsStatus.EIO;
    }
}
