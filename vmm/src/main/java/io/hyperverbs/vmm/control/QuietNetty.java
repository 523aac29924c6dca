package io.hyperverbs.vmm.control;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps gRPC from warning, at every start, that a Unix socket has no SO_KEEPALIVE. */
final class QuietNetty {
    // Held here: java.util.logging forgets a logger, and its level, that nobody holds.
    private static final Logger BOOTSTRAP = Logger.getLogger("io.netty.bootstrap.ServerBootstrap");
    private static final Logger CLIENT_BOOTSTRAP = Logger.getLogger("io.netty.bootstrap.Bootstrap");

    private QuietNetty() {}

    static void silence() {
        BOOTSTRAP.setLevel(Level.SEVERE);
        CLIENT_BOOTSTRAP.setLevel(Level.SEVERE);
    }
}
