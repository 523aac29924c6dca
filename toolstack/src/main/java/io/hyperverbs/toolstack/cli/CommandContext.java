package io.hyperverbs.toolstack.cli;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.output.Fold;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.output.Times;
import io.hyperverbs.launcher.progress.BarProgress;
import io.hyperverbs.launcher.progress.PlainProgress;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.progress.QuietProgress;
import io.hyperverbs.vmm.text.VisibleStream;
import io.hyperverbs.vmm.text.VisibleText;
import java.io.FilterOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Where a command works: its environment, the global options, and ways to say things. */
public final class CommandContext {
    private final CliEnvironment environment;
    private final GlobalOptions options = new GlobalOptions();
    private String commandLine = "hv";

    public CommandContext(CliEnvironment environment) {
        this.environment = environment;
    }

    public CliEnvironment environment() {
        return environment;
    }

    public GlobalOptions options() {
        return options;
    }

    /** A path of the command line, seen from the working directory. */
    public Path path(String given) {
        return environment.folder().resolve(given).normalize();
    }

    /** Takes {@code format} for messages, if the command line broke off before it was seen. */
    public void fallBackTo(Format format) {
        if (options.format() == Format.TABLE) {
            options.format(format);
        }
    }

    /** One line of data. */
    public void print(String line) {
        environment.out().println(shown(line));
    }

    /** Text with its last line ended. */
    public void text(String text) {
        environment.out().print(shown(text));
        environment.out().flush();
    }

    /** The same; lines for people that do not fit on their terminal go on below. */
    public void folded(String text) {
        boolean whole = options.format() != Format.TABLE || room() == Table.UNLIMITED;
        text(whole ? text : Fold.hanging(shown(text), room()));
    }

    /** A sentence for people. */
    public void sentence(String line) {
        folded(line + "\n");
    }

    /** Names and messages in our own text may be a guest's, and must not command a terminal. */
    private String shown(String text) {
        return environment.screen().out() ? VisibleText.of(text) : text;
    }

    /** How long a line may be: a terminal has an edge, a pipe has none. */
    private int room() {
        boolean edge = environment.screen().out() && !options.wide();
        return edge ? environment.screen().columns().getAsInt() : Table.UNLIMITED;
    }

    /**
     * Where the bytes go that a guest wrote to its standard output: visible on a terminal, as they
     * are into a pipe or a file, or if {@code raw}. Close it to show an unfinished last character;
     * that closes nothing else.
     */
    public OutputStream guestOut(boolean raw) {
        return guestStream(environment.out(), environment.screen().out() && !raw);
    }

    /** The same for standard error. */
    public OutputStream guestErr(boolean raw) {
        return guestStream(environment.err(), environment.screen().err() && !raw);
    }

    private static OutputStream guestStream(PrintStream to, boolean visible) {
        if (visible) {
            return new VisibleStream(to);
        }
        return new FilterOutputStream(to) {
            @Override
            public void write(byte[] bytes, int offset, int length) {
                to.write(bytes, offset, length);
            }

            @Override
            public void close() {
                to.flush();
            }
        };
    }

    /** An object, as one line under jsonl and indented otherwise; with date and command line. */
    public void print(ObjectNode object) {
        ObjectNode stamped = Json.stamped(object, Times.iso(Instant.now()), commandLine);
        print(options.format() == Format.JSONL ? Json.line(stamped) : Json.pretty(stamped));
    }

    /** What was typed, as a shell would take it again. */
    public String commandLine() {
        return commandLine;
    }

    /** Remembers the words after {@code hv}. */
    public void words(String... words) {
        StringBuilder line = new StringBuilder("hv");
        for (String word : words) {
            boolean plain = word.matches("[A-Za-z0-9_@%+=:,./-]+");
            line.append(' ').append(plain ? word : "'" + word.replace("'", "'\\''") + "'");
        }
        commandLine = line.toString();
    }

    /** A table in the format asked for. */
    public void print(Table table) {
        Format format = options.format();
        if (format == Format.JSON) {
            print(table.object());
            return;
        }
        text(table.render(format, room()));
        List<String> leftOut = format == Format.TABLE ? table.leftOut(room()) : List.of();
        if (!leftOut.isEmpty()) {
            note("no room for " + String.join(", ", leftOut) + "; --wide shows all");
        }
    }

    /** A table in a format, as wide as it is, with its last line ended; JSON with date and command line. */
    public String rendered(Table table, Format format) {
        return format == Format.JSON
                ? Json.pretty(Json.stamped(table.object(), Times.iso(Instant.now()), commandLine)) + "\n"
                : table.render(format);
    }

    /** Something to know that is not data; dropped with {@code -q}. */
    public void note(String line) {
        if (!options.quiet()) {
            environment.err().println("hv: " + VisibleText.line(line));
        }
    }

    /** The progress display asked for. */
    public Progress progress() {
        return switch (options.progress()) {
            case QUIET -> new QuietProgress();
            case PLAIN -> new PlainProgress(environment.err());
            case AUTO ->
                environment.terminal()
                        ? new BarProgress(
                                environment.err(), environment.screen().columns())
                        : new PlainProgress(environment.err());
        };
    }

    /** Prints what went wrong, as lines or, in JSON mode, as an object; returns the exit code. */
    public int fail(HvException failure) {
        boolean json = options.format() == Format.JSON || options.format() == Format.JSONL;
        for (Problem problem : failure.problems()) {
            environment
                    .err()
                    .println(
                            json
                                    ? Json.line(errorObject(failure.exit(), problem))
                                    : "hv: " + VisibleText.line(problem.text()));
        }
        if (options.verbose()) {
            stackTrace(failure);
        }
        return failure.exit().number();
    }

    /** Where {@code failure} came from; its messages may hold a guest's words. */
    public void stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        environment.err().print(VisibleText.of(text.toString()));
        environment.err().flush();
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
