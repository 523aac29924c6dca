package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import io.hyperverbs.vmm.posix.Seccomp;

/** What a guest's own process gives up before it runs the guest's program. */
public final class Confinement {
    private Confinement() {}

    /**
     * Leaves the system calls that a guest needs, in all threads and for good. Where nothing else
     * keeps it from others' sockets and files ({@link #hasNoWalls}) it makes no socket and writes
     * no file any more; those that are open stay. Threads stay on the processors they have.
     *
     * @return whether the filter is there now; not where the processor is unknown, nor outside a
     *     sandbox, which is what lets an ordinary user install a filter
     */
    public static boolean enter() throws PosixException {
        return enter(false);
    }

    /**
     * As the other.
     *
     * @param accepts whether it goes on to accept connections where it listens already
     */
    public static boolean enter(boolean accepts) throws PosixException {
        if (hasNoWalls()) {
            ProcessAttributes.forbidInspection();
        }
        if (!Seccomp.AVAILABLE) {
            return false;
        }
        try {
            int pid = (int) ProcessHandle.current().pid();
            Seccomp.install(accepts ? CallFilter.forListeningGuests(pid) : CallFilter.forGuests(pid, !hasNoWalls()));
            return true;
        } catch (PosixException e) {
            if (e.errno() == Errno.EACCES) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Leaves the system calls that executables need, in all threads and for good, before {@link #enter}: who is started
     * in between has no other filter. Executables run as the driver's user: from now on its process shows them neither
     * its memory nor its files, among which are all memories of the guest.
     *
     * @throws PosixException EACCES outside a sandbox
     */
    public static void enterAsExecutable() throws PosixException {
        ProcessAttributes.forbidInspection();
        if (Seccomp.AVAILABLE) {
            Seccomp.install(CallFilter.forExecutables());
        }
    }

    /** Whether all connections have to be made before {@link #enter}. */
    public static boolean hasNoWalls() {
        return Boolean.getBoolean(LandlockSandbox.NO_SOCKETS);
    }
}
