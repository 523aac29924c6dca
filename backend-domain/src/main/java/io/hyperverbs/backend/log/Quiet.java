package io.hyperverbs.backend.log;

import ch.qos.logback.classic.LoggerContext;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/** Raises the level of a library's loggers. Any thread. */
public final class Quiet {
    /** java.util.logging forgets a logger, and its level, that nobody holds. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private Quiet() {}

    /**
     * gRPC prints a stack trace for each bad message, which any guest can send as fast as it likes;
     * for some of them as severe. What matters of it is counted and answered elsewhere.
     */
    public static void grpc() {
        GRPC.setLevel(Level.OFF);
    }

    /** Only errors of {@code logger} and those below it are printed from now on. */
    public static void errorsOnly(String logger) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(logger).setLevel(ch.qos.logback.classic.Level.ERROR);
        }
    }
}
