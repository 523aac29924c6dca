package io.hyperverbs.lab.attacks.cases;

import java.util.function.LongConsumer;

/** Does something again and again in a thread of its own, until it is closed. */
final class Repeating implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;
    private volatile long rounds;

    private Repeating(LongConsumer work) {
        thread = new Thread(
                () -> {
                    for (long round = 0; !closed; round++) {
                        work.accept(round);
                        rounds = round + 1;
                    }
                },
                "repeating");
    }

    /** Starts; {@code work} gets the number of the round. */
    static Repeating start(LongConsumer work) {
        Repeating repeating = new Repeating(work);
        repeating.thread.setDaemon(true);
        repeating.thread.start();
        return repeating;
    }

    /** How often it was done. */
    long rounds() {
        return rounds;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
