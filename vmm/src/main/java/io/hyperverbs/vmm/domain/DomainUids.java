package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.BitSet;

/**
 * Users of domains in tier 2: no two live domains of a computer share one. Each VMM has 256 of its
 * own, by its process number, far above what accounts use. Callable from any thread.
 */
final class DomainUids {
    private static final int FIRST = 200_000;
    private static final int PER_MACHINE = 256;

    private final long base = FIRST + ProcessHandle.current().pid() * PER_MACHINE;
    private final BitSet taken = new BitSet();

    synchronized int take() throws MachineException {
        int index = taken.nextClearBit(0);
        if (index >= PER_MACHINE) {
            throw new MachineException(VerbsStatus.EAGAIN, "more than " + PER_MACHINE + " guests at a time");
        }
        taken.set(index);
        return Math.toIntExact(base + index);
    }

    /** Gives one back; 0, the VMM's own user, is not counted. */
    synchronized void release(int uid) {
        if (uid != 0) {
            taken.clear(Math.toIntExact(uid - base));
        }
    }
}
