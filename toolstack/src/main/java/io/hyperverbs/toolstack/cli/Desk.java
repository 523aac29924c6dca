package io.hyperverbs.toolstack.cli;

import io.hyperverbs.toolstack.progress.BarProgress;
import io.hyperverbs.toolstack.progress.PlainProgress;
import io.hyperverbs.toolstack.progress.Progress;
import io.hyperverbs.toolstack.progress.QuietProgress;

import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;

/** Where a command works: its surroundings, the global options, and ways to say things. */
public final class Desk {
    private final Surroundings surroundings;
    private final GlobalOptions options = new GlobalOptions();

    public Desk(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    public GlobalOptions options() {
        return options;
    }

    /** A path of the command line, seen from the working directory. */
    public Path path(String given) {
        return surroundings.folder().resolve(given).normalize();
    }

    /** Takes {@code format} for messages, if the command line broke off before it was seen. */
    public void fallBackTo(Format format) {
        if (options.format() == Format.TABLE) {
            options.format(format);
        }
    }

    /** One line of data. */
    public void print(String line) {
        surroundings.out().println(line);
    }

    /** Text with its last line ended. */
    public void text(String text) {
        surroundings.out().print(text);
        surroundings.out().flush();
    }

    /** An object, as one line under jsonl and indented otherwise. */
    public void print(ObjectNode object) {
        print(options.format() == Format.JSONL ? Json.line(object) : Json.pretty(object));
    }

    /** A table in the format asked for. */
    public void print(Table table) {
        surroundings.out().print(table.render(options.format()));
        surroundings.out().flush();
    }

    /** Something to know that is not data; dropped with {@code -q}. */
    public void note(String line) {
        if (!options.quiet()) {
            surroundings.err().println("hv: " + line);
        }
    }

    /** Something to know with {@code -v} alone. */
    public void detail(String line) {
        if (options.verbose()) {
            surroundings.err().println("hv: " + line);
        }
    }

    /** The progress display asked for. */
    public Progress progress() {
        return switch (options.progress()) {
            case QUIET -> new QuietProgress();
            case PLAIN -> new PlainProgress(surroundings.err());
            case AUTO ->
                    surroundings.terminal()
                            ? new BarProgress(surroundings.err())
                            : new PlainProgress(surroundings.err());
        };
    }

    /** Prints what went wrong, as lines or, in JSON mode, as an object; returns the exit code. */
    public int fail(HvException failure) {
        boolean json = options.format() == Format.JSON || options.format() == Format.JSONL;
        for (Problem problem : failure.problems()) {
            surroundings
                    .err()
                    .println(
                            json
                                    ? Json.line(errorObject(failure.exit(), problem))
                                    : "hv: " + problem.text());
        }
        if (options.verbose()) {
            failure.printStackTrace(surroundings.err());
        }
        return failure.exit().number();
    }

    private static ObjectNode errorObject(ExitCode exit, Problem problem) {
        ObjectNode object = Json.object();
        ObjectNode error = object.putObject("error");
        error.put("code", exit.word()).put("exit", exit.number());
        if (!problem.file().isEmpty()) {
            error.put("file", problem.file());
        }
        if (problem.line() > 0) {
            error.put("line", problem.line());
        }
        if (!problem.path().isEmpty()) {
            error.put("path", problem.path());
        }
        error.put("message", problem.what());
        if (!problem.hint().isEmpty()) {
            error.put("hint", problem.hint());
        }
        return object;
    }
}
