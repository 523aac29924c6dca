package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.report.BenchFile;
import io.hyperverbs.lab.run.report.Comparison;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** An older result that {@code hv bench} compares with. */
final class CompareOptions {
    private static final String BENCH_HINT = "hv bench writes bench.json into the folder of its report";
    private static final double STANDARD_THRESHOLD = 0.1;

    @Option(
            names = "--compare",
            paramLabel = "OLD.json",
            description =
                    "Print how each row compares with that of an earlier run (JSON of the same command) instead of the"
                            + " table. Exit code 6 if one is slower by more than the threshold.")
    @Nullable
    String old;

    @Option(
            names = "--with",
            paramLabel = "NEW.json",
            description =
                    "Compare it with this file; nothing is measured. Of hv bench, several files by comma on both sides"
                            + " are pairs that were measured in turn.")
    @Nullable
    String with;

    @Option(names = "--threshold", paramLabel = "PERCENT", description = "Such as 10%% (the default).")
    @Nullable
    String threshold;

    boolean isGiven() {
        return old != null || with != null || threshold != null;
    }

    /** Reads results of a command. */
    interface Reader {
        BenchFile read(Path file) throws BenchFile.BadFile;
    }

    /**
     * Several files of {@code hv bench} on each side, in pairs that were measured in turn; empty if there is one of each, or
     * none.
     */
    List<Comparison.Pair> pairs(CommandContext context) throws HvException {
        List<String> olds = files(old);
        List<String> news = files(with);
        if (olds.size() <= 1 && news.size() <= 1) {
            return List.of();
        }
        if (olds.size() != news.size()) {
            throw usage(
                    "--compare has " + olds.size() + " files, --with " + news.size(),
                    "the first of each are a pair, and so on");
        }
        List<Comparison.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < olds.size(); i++) {
            pairs.add(new Comparison.Pair(
                    read(context, olds.get(i), BenchFile::read, BENCH_HINT),
                    read(context, news.get(i), BenchFile::read, BENCH_HINT)));
        }
        return pairs;
    }

    private static List<String> files(@Nullable String option) {
        return option == null ? List.of() : List.of(option.split(",", -1));
    }

    /** The older result of {@code hv bench}, if one is to be compared with. */
    Optional<BenchFile> old(CommandContext context) throws HvException {
        return old(context, BenchFile::read, BENCH_HINT);
    }

    /** The same of another command; {@code hint} says where its files come from. */
    Optional<BenchFile> old(CommandContext context, Reader reader, String hint) throws HvException {
        if (old == null) {
            if (with != null || threshold != null) {
                throw usage((with != null ? "--with" : "--threshold") + " without --compare", "--compare OLD.json");
            }
            return Optional.empty();
        }
        double _ = part();
        return Optional.of(read(context, old, reader, hint));
    }

    /** The newer one, if it is not to be measured. */
    Optional<BenchFile> with(CommandContext context) throws HvException {
        return with(context, BenchFile::read, BENCH_HINT);
    }

    /** The same of another command. */
    Optional<BenchFile> with(CommandContext context, Reader reader, String hint) throws HvException {
        return with == null ? Optional.empty() : Optional.of(read(context, with, reader, hint));
    }

    /** Refuses a result that was measured with other options than what it is compared with. */
    void check(BenchFile before, String options) throws HvException {
        if (!before.options().equals(options)) {
            throw usage(
                    "the old rows were measured with " + before.options() + ", the new ones with " + options,
                    "only the same can be compared");
        }
    }

    /** Prints the comparison; returns the exit code. */
    int print(CommandContext context, BenchFile before, BenchFile now) throws HvException {
        check(before, now.options());
        return print(context, List.of(new Comparison.Pair(before, now)));
    }

    /** The same of pairs. */
    int print(CommandContext context, List<Comparison.Pair> pairs) throws HvException {
        Comparison comparison = new Comparison(pairs, part());
        context.print(comparison.table());
        if (context.options().format() == Format.TABLE) {
            comparison.sentences().forEach(context::sentence);
        }
        if (comparison.compared() == 0) {
            throw new HvException(
                    ExitCode.FAILURE, "no row could be compared", "more --rounds, or a calmer computer, make results");
        }
        return (comparison.isSlower() ? ExitCode.CHECK_FAILED : ExitCode.OK).number();
    }

    private double part() throws HvException {
        if (threshold == null) {
            return STANDARD_THRESHOLD;
        }
        if (!threshold.matches("[0-9]{1,4}(\\.[0-9]{1,3})?%?")) {
            throw usage("--threshold " + threshold + ", must be a percentage", "as in 10%");
        }
        return Double.parseDouble(threshold.replace("%", "")) / 100;
    }

    private static BenchFile read(CommandContext context, String file, Reader reader, String hint) throws HvException {
        try {
            return reader.read(context.path(file));
        } catch (BenchFile.BadFile e) {
            throw usage(file + " " + e.getMessage(), hint);
        }
    }

    private static HvException usage(String what, String hint) {
        return new HvException(ExitCode.USAGE, what, hint);
    }
}
