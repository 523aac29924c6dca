package io.hyperverbs.toolstack.commands;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Options of perftest whose short names are those of global options elsewhere. */
final class PerfDepths {
    @Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            description = "bw: queue pairs (default: 1).")
    @Nullable
    Integer queuePairs;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            description = "bw: sends outstanding on each queue pair (default: 128).")
    @Nullable
    Integer txDepth;

    /** Takes the short names from the global options of {@code spec}, which has no topology to name. */
    void claim(CommandSpec spec) {
        OptionSpec topology = spec.findOption("--topo");
        spec.remove(topology);
        OptionSpec quiet = spec.findOption("--quiet");
        spec.remove(quiet);
        spec.addOption(OptionSpec.builder(quiet).names("--quiet").build());
        spec.addMixin("depths", CommandSpec.forAnnotatedObject(this));
    }
}
