package io.hyperverbs.toolstack.cli;

import io.hyperverbs.launcher.output.Format;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options of every command, before or after its name. */
public final class GlobalOptions {
    /** How progress is shown. */
    public enum ProgressKind {
        AUTO,
        PLAIN,
        QUIET
    }

    @Option(
            names = {"-t", "--topo"},
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Topology file, built-in topology (pair, star,n=N, ring,n=N; with hcas=M on M HCAs)"
                    + " or, where one is looked for among the running ones, its name. Default: the one"
                    + " *.hv.yaml here.")
    @Nullable
    String topology;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            description = "table, json, jsonl or csv.")
    Format format = Format.TABLE;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Data and errors only.")
    boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "More about what happens, and stack traces.")
    boolean verbose;

    @Option(names = "--no-color", scope = ScopeType.INHERIT, description = "No colours (also: NO_COLOR is set).")
    boolean noColor;

    @Option(
            names = "--wide",
            scope = ScopeType.INHERIT,
            description = "All columns of a table, however narrow the terminal.")
    boolean wide;

    @Option(names = "--progress", paramLabel = "KIND", scope = ScopeType.INHERIT, description = "auto, plain or quiet.")
    ProgressKind progress = ProgressKind.AUTO;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            scope = ScopeType.INHERIT,
            description = "Longest to wait, such as 500ms, 30s or 2m; a number alone is seconds. Exit"
                    + " code 8 when it is over.")
    @Nullable
    Duration timeout;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            scope = ScopeType.INHERIT,
            description = "Of a topology over several hosts that one alone.")
    @Nullable
    String host;

    public @Nullable String host() {
        return host;
    }

    public @Nullable String topology() {
        return topology;
    }

    public Format format() {
        return format;
    }

    void format(Format format) {
        this.format = format;
    }

    public boolean quiet() {
        return quiet;
    }

    public boolean verbose() {
        return verbose;
    }

    public boolean noColor() {
        return noColor;
    }

    public boolean wide() {
        return wide;
    }

    public ProgressKind progress() {
        return quiet ? ProgressKind.QUIET : progress;
    }

    /** The time given with {@code --timeout}, or else {@code standard}. */
    public Duration timeoutOr(Duration standard) {
        return timeout == null ? standard : timeout;
    }
}
