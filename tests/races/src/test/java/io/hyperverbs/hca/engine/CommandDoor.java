package io.hyperverbs.hca.engine;

/** The queue that brings commands to the engine, without the engine: for races. */
public final class CommandDoor {
    private final CommandQueue queue = new CommandQueue(() -> {});

    /** This thread is the engine's from now on. */
    public void attach() {
        queue.attach(Thread.currentThread());
    }

    /** Between two pieces of work. */
    public void runOne() {
        var _ = queue.runOne();
    }

    /** From the backend; false if the engine did not get to it. */
    public boolean call(java.util.function.Supplier<Boolean> body) {
        return queue.call(body, false);
    }
}
