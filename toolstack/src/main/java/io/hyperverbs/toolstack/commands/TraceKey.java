package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.concurrent.TimeUnit;

/**
 * The store key that has a guest write its verb log: {@code on} until this is closed. Who traces the same guest shares it,
 * and removes it at the end; {@link #keep} writes it again. One thread.
 */
final class TraceKey implements AutoCloseable {
    /** Guests do not look more often. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RunningMachine machine;
    private final String key;
    private long writtenNanos;

    /** Writes it. */
    TraceKey(RunningMachine machine, String guest) throws MachineException {
        this.machine = machine;
        this.key = "domain/tool/trace/" + guest;
        write();
    }

    private void write() throws MachineException {
        machine.client().storeWrite(key, "on");
        writtenNanos = System.nanoTime();
    }

    /** To be called now and then. */
    void keep() {
        if (System.nanoTime() - writtenNanos > AGAIN_NANOS) {
            try {
                write();
            } catch (MachineException e) {
                // The machine is gone, and the log with it.
            }
        }
    }

    @Override
    public void close() {
        try {
            // Without the key a driver sleeps; it would look again and again at one that says off.
            machine.client().storeRemove(key);
        } catch (MachineException e) {
            // With the machine gone there is nothing to switch off.
        }
    }
}
