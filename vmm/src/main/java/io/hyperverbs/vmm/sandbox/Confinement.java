package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import io.hyperverbs.vmm.posix.Seccomp;

import java.nio.ByteBuffer;

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
        if (hasNoWalls()) {
            ProcessAttributes.forbidInspection();
        }
        return install(CallFilter.forGuests((int) ProcessHandle.current().pid()));
    }

    /** Whether {@link #closeSockets} has to come before the guest's program. */
    public static boolean hasNoWalls() {
        return Boolean.getBoolean(LandlockSandbox.NO_SOCKETS);
    }

    /**
     * Where nothing else keeps a guest from others' sockets: it makes none any more. Those it has
     * stay as they are.
     */
    public static boolean closeSockets() throws PosixException {
        return install(CallFilter.forNewSockets());
    }

    private static boolean install(ByteBuffer filter) throws PosixException {
        if (!Seccomp.AVAILABLE) {
            return false;
        }
        try {
            Seccomp.install(filter);
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.EACCES) {
                return false;
            }
            throw e;
        }
    }
}
