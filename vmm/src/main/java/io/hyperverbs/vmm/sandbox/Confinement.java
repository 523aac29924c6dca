package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.Seccomp;

/** What a guest's own process gives up before it runs the guest's program. */
public final class Confinement {
    private Confinement() {}

    /**
     * Refuses the system calls that no guest needs, in all threads and for good.
     *
     * @return whether they are refused now; not where the processor is unknown, nor outside a
     *     sandbox, which is what lets an ordinary user install a filter
     */
    public static boolean enter() throws PosixException {
        if (!Seccomp.AVAILABLE) {
            return false;
        }
        try {
            Seccomp.install(CallFilter.forGuests());
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.EACCES) {
                return false;
            }
            throw e;
        }
    }
}
