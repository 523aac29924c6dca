package io.hyperverbs.lab.walk.model;

/** What a number in a request opens, if anything. */
interface Key {
    /** Whether it is a local key of the PD for that range and those rights. */
    boolean serves(ModelPd of, long at, long bytes, int rights);

    /** Whether it is a remote key that opens this to who is connected to {@code through}. */
    boolean opens(ModelQp through, long at, long bytes, int right);
}
