package io.hyperverbs.hca;

/** One entry taken from the HCA's event queue; reused by its reader. One thread at a time. */
public final class HcaEvent {
    /** What happened. */
    public enum Kind {
        /** {@link #number} is the CQ. */
        COMPLETION,
        /**
         * {@link #number} is the QPN, CQ or port, {@link #asyncCode} an {@code
         * AsyncEvent.Type.code()}.
         */
        ASYNC
    }

    private Kind kind = Kind.COMPLETION;
    private int uar;
    private int number;
    private int asyncCode;

    public void set(Kind kind, int uar, int number, int asyncCode) {
        this.kind = kind;
        this.uar = uar;
        this.number = number;
        this.asyncCode = asyncCode;
    }

    public Kind kind() {
        return kind;
    }

    /** UAR number of the context that owns the object. */
    public int uar() {
        return uar;
    }

    public int number() {
        return number;
    }

    public int asyncCode() {
        return asyncCode;
    }
}
