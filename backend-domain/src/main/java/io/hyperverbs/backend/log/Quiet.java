package io.hyperverbs.backend.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;

import org.slf4j.LoggerFactory;

/** Raises the level of a library's loggers. Any thread. */
public final class Quiet {
    private Quiet() {}

    /** Only errors of {@code logger} and those below it are printed from now on. */
    public static void errorsOnly(String logger) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(logger).setLevel(Level.ERROR);
        }
    }
}
