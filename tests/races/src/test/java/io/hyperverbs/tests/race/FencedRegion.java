package io.hyperverbs.tests.race;

import io.hyperverbs.hca.engine.CommandQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Memory that an engine thread writes piece by piece while its key is good, and the real queue that
 * brings the command to end the key in between.
 */
final class FencedRegion {
    private static final VarHandle WRITTEN;
    private static final VarHandle RELEASED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WRITTEN = lookup.findVarHandle(FencedRegion.class, "written", int.class);
            RELEASED = lookup.findVarHandle(FencedRegion.class, "released", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CommandQueue commands = new CommandQueue(() -> {});
    private boolean alive = true;

    @SuppressWarnings("UnusedVariable") // by its handle
    private int written;

    @SuppressWarnings("UnusedVariable") // by its handle
    private boolean released;

    /** The engine: pieces while the key is good, commands between two of them. */
    void serve() {
        commands.attach(Thread.currentThread());
        while (!(boolean) RELEASED.getAcquire(this)) {
            if (alive) {
                // A piece takes its time, and ends with something to see.
                Thread.onSpinWait();
                WRITTEN.setRelease(this, (int) WRITTEN.get(this) + 1);
            }
            var _ = commands.runOne();
        }
    }

    /** Ends the key as the backend does it; whether it took effect. */
    boolean deregister() {
        return commands.call(this::kill, false);
    }

    private boolean kill() {
        alive = false;
        return true;
    }

    /** Ends the key and waits for nobody. */
    void end() {
        VarHandle.fullFence();
        alive = false;
        VarHandle.fullFence();
    }

    /** Pieces written so far. */
    int written() {
        return (int) WRITTEN.getAcquire(this);
    }

    /** The engine may stop. */
    void release() {
        RELEASED.setRelease(this, true);
    }
}
