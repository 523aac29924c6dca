package io.hyperverbs.lab.run.report;

import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Times;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * When and how the figures of a report were measured.
 *
 * @param began of the run
 * @param commandLine that would do it again
 */
public record Origin(ZonedDateTime began, String commandLine) {
    /** The object as it goes into a file. */
    public ObjectNode stamp(ObjectNode object) {
        return Json.stamped(object, Times.iso(began.toInstant()), commandLine);
    }

    /** One line, plain text. */
    public String text() {
        return began.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT)) + ": " + commandLine;
    }
}
