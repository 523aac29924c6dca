package io.hyperverbs.backend.session;

/**
 * A memory window; {@code number} is the HCA's. What it is bound to is known to the HCA alone,
 * since binding is a work request.
 */
public final class WindowObject extends SessionObject {
    private final PdObject pd;
    private final int number;

    public WindowObject(PdObject pd, int number) {
        this.pd = pd;
        this.number = number;
    }

    public PdObject pd() {
        return pd;
    }

    public int number() {
        return number;
    }
}
