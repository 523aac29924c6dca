package io.hyperverbs.upper.dsm.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * What this node may do with each minipage. One thread, the program's, asks before each access; the handler of messages,
 * in any thread, changes the states.
 *
 * <p>A store and the question whether it is allowed are one step for the handler: the program says that it stores before
 * it asks, and the handler, after it has taken a right away, waits for a store that had begun. A load needs no such
 * step: what it reads after its right is gone is what was there before, as nothing comes into the memory that the
 * program has not requested.
 */
public final class CopyStates {
    static final byte NONE = 0;
    static final byte READ = 1;
    static final byte WRITE = 2;

    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(byte[].class);
    private static final VarHandle STORING = storing();

    private volatile byte[] states = new byte[0];

    @SuppressWarnings("unused") // by its VarHandle
    private int storing;

    private static VarHandle storing() {
        try {
            return MethodHandles.lookup().findVarHandle(CopyStates.class, "storing", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Makes room for so many minipages, new ones without a right; not beside the handler. */
    void resize(int count) {
        states = Arrays.copyOf(states, count);
    }

    /** Whether a load is allowed. */
    public boolean mayRead(int minipage) {
        return (byte) STATE.getAcquire(states, minipage) != NONE;
    }

    /**
     * Begins a store.
     *
     * @return whether it is allowed; then {@link #endStore} is due
     */
    public boolean beginStore(int minipage) {
        STORING.setOpaque(this, 1);
        VarHandle.fullFence();
        if ((byte) STATE.getAcquire(states, minipage) == WRITE) {
            return true;
        }
        endStore();
        return false;
    }

    /** The store is made. */
    public void endStore() {
        STORING.setRelease(this, 0);
    }

    /** Gives a right, with the bytes in place. */
    void raise(int minipage, byte state) {
        STATE.setRelease(states, minipage, state);
    }

    /** Takes a right away; what was stored by it is in memory afterwards. */
    void lower(int minipage, byte state) {
        STATE.setRelease(states, minipage, state);
        VarHandle.fullFence();
        while ((int) STORING.getAcquire(this) != 0) {
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    byte state(int minipage) {
        return (byte) STATE.getAcquire(states, minipage);
    }
}
