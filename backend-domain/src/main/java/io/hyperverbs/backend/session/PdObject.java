package io.hyperverbs.backend.session;

/** A protection domain, or an XRC domain, which is none; {@code number} is the HCA's. */
public final class PdObject extends SessionObject {
    private final ContextObject context;
    private final int number;
    private final boolean isXrcd;

    public PdObject(ContextObject context, int number, boolean isXrcd) {
        this.context = context;
        this.number = number;
        this.isXrcd = isXrcd;
    }

    public ContextObject context() {
        return context;
    }

    public int number() {
        return number;
    }

    public boolean isXrcd() {
        return isXrcd;
    }
}
