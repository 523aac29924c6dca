package io.hyperverbs.launcher.progress;

/** A piece of work of known size. Close it when the work has ended or failed. */
public interface Progress extends AutoCloseable {
    /** Begins a task of {@code steps}, ending the one before. */
    void begin(String task, long steps);

    /** One more step is done; {@code what} says which. */
    void step(String what);

    @Override
    void close();
}
