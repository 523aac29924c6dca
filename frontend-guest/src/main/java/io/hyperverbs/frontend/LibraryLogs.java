package io.hyperverbs.frontend;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps libraries of the driver off a guest's console, which is its program's. What they find wrong
 * comes to the program as an error of a verb.
 */
final class LibraryLogs {
    /** java.util.logging forgets a logger, and its level, that nobody holds. */
    private static final List<Logger> LIBRARIES = List.of(Logger.getLogger("io.netty"), Logger.getLogger("io.grpc"));

    private LibraryLogs() {}

    /** For the life of the process. */
    static void silence() {
        for (Logger library : LIBRARIES) {
            library.setLevel(Level.OFF);
            // Of a logger below it that has a level of its own.
            library.setUseParentHandlers(false);
        }
    }
}
