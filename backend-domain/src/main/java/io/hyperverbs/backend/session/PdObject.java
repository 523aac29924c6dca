package io.hyperverbs.backend.session;

/** A protection domain; {@code number} is the HCA's. */
public final class PdObject extends SessionObject {
    private final ContextObject context;
    private final int number;

    public PdObject(ContextObject context, int number) {
        this.context = context;
        this.number = number;
    }

    public ContextObject context() {
        return context;
    }

    public int number() {
        return number;
    }
}
