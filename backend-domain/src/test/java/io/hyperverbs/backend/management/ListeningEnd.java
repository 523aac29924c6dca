package io.hyperverbs.backend.management;

import org.junit.jupiter.api.BeforeEach;

/** Two guests, of which one listens. */
abstract class ListeningEnd extends TwoEnds {
    @BeforeEach
    void listen() {
        var _ = callee.listen();
    }
}
