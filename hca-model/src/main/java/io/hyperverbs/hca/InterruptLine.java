package io.hyperverbs.hca;

/** How the HCA says that its event queue is no longer empty, and wakes domains that it has posted events to. */
public interface InterruptLine {
    /** Called on the engine thread; must neither block nor throw nor allocate. */
    void raise();

    /**
     * Wakes who sleeps on the int at a machine address. Called on the engine thread; must neither wait nor throw nor
     * allocate. Without it no domain that sleeps is woken by posted events.
     */
    default void wake(long machineAddress) {}
}
