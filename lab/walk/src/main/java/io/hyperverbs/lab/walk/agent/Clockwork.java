package io.hyperverbs.lab.walk.agent;

import java.time.Duration;

/** What makes an HCA go on while an agent waits for it. */
public interface Clockwork {
    /** An HCA with a thread of its own. */
    Clockwork OF_ITSELF = new Clockwork() {
        @Override
        public void turn() {
            // It works all the time.
        }

        @Override
        public Duration eventWait() {
            return Duration.ofMillis(100);
        }
    };

    /** Lets the HCA work and time pass. */
    void turn();

    /** How long one look for an asynchronous event may wait. */
    Duration eventWait();
}
