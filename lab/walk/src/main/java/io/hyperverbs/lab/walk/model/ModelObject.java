package io.hyperverbs.lab.walk.model;

/** Something that a slot holds. */
interface ModelObject {
    /** The slot of the context it lies in. */
    int context();

    boolean isAlive();

    /** Whether something else stands on it. */
    boolean isUsed();

    /** It is destroyed: what it stood on is free of it. */
    void end();
}
