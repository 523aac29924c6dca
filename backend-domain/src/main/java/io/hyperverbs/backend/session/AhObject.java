package io.hyperverbs.backend.session;

/** An address handle; {@code number} is the HCA's. */
public final class AhObject extends SessionObject {
    private final PdObject pd;
    private final int number;

    public AhObject(PdObject pd, int number) {
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
