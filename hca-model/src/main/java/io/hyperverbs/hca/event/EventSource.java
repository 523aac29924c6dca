package io.hyperverbs.hca.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A CQ or QP as the event queue sees it: whom to name, and which kinds wait to be read. The engine
 * sets a kind, the reader clears it.
 */
public final class EventSource {
    private static final VarHandle PENDING;

    static {
        try {
            PENDING = MethodHandles.lookup().findVarHandle(EventSource.class, "pending", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int uar;
    private final int number;

    @SuppressWarnings("UnusedVariable") // read and written through PENDING
    private int pending;

    public EventSource(int uar, int number) {
        this.uar = uar;
        this.number = number;
    }

    public int uar() {
        return uar;
    }

    public int number() {
        return number;
    }

    /** Engine: true if the kind did not wait already. */
    boolean begin(int kind) {
        int bit = 1 << kind;
        return ((int) PENDING.getAndBitwiseOr(this, bit) & bit) == 0;
    }

    /** Reader, before it hands the event on; or the engine when there was no room. */
    void end(int kind) {
        int _ = (int) PENDING.getAndBitwiseAnd(this, ~(1 << kind));
    }
}
