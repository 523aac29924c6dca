package io.hyperverbs.hca;

/** How the HCA says that its event queue is no longer empty. */
public interface InterruptLine {
    /** Called on the engine thread; must neither block nor throw nor allocate. */
    void raise();
}
