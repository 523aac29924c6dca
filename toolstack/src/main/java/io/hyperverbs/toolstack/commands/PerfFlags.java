package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.perf.PerfFlag;
import io.hyperverbs.lab.bench.perf.PerfQueues;
import io.hyperverbs.lab.bench.perf.PerfRound;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.perf.PerfPlan;
import io.hyperverbs.lab.run.perf.PerfRules;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** perftest's options, as {@code hv bench lat} and {@code bw} have them; {@link PerfDepths} has two more. */
final class PerfFlags {
    private static final List<MeasuredPath> STANDARD_PATHS =
            List.of(MeasuredPath.NATIVE, MeasuredPath.BYPASS, MeasuredPath.FORWARDED);
    private static final QpType[] TRANSPORTS = {QpType.RC, QpType.UC, QpType.UD};

    @Option(
            names = "--verb",
            paramLabel = "VERB",
            description = "send, write, read or atomic (fetch-and-add of 8 bytes). Must be given.")
    String verb = "";

    @Option(
            names = "--path",
            paramLabel = "PATH",
            split = ",",
            description = "native, bypass, forwarded, forwarded-unary (default: the first three).")
    List<String> paths = new ArrayList<>();

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            description = "RC, UC (send, write) or UD (send). Default: RC.")
    String connection = "RC";

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            split = ",",
            description = "Message sizes, such as 64 or 64KiB (default: 2 for lat, 65536 for bw).")
    List<String> sizes = new ArrayList<>();

    @Option(
            names = {"-a", "--all"},
            description = "Sizes from 2 to 2^23; with UD to the MTU.")
    boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Messages of a row on each queue pair, from 5 (default: 1000).")
    @Nullable
    Integer iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "A row lasts so long instead; without a peak.")
    @Nullable
    Integer seconds;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            description = "Receives posted on each queue pair, or on the SRQ (default: 512).")
    @Nullable
    Integer rxDepth;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "N",
            description = "bw: sends posted by one doorbell (default: 1).")
    @Nullable
    Integer postList;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "N",
            description = "bw: one of so many sends is signalled (default: 100, 1 above 8 KiB, with -l as many).")
    @Nullable
    Integer moderation;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            description = "Payload up to so many bytes goes inline (default: 0).")
    @Nullable
    Integer inline;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep on completion events instead of polling.")
    boolean events;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "bw: both sides send; a row is their sum.")
    boolean bidirectional;

    @Option(
            names = {"-N", "--noPeak"},
            description = "bw: no peak.")
    boolean noPeak;

    @Option(names = "--use-srq", description = "send: all queue pairs receive from one SRQ.")
    boolean srq;

    @Option(names = "--report_gbits", description = "bw: Gb/sec instead of MiB/sec.")
    boolean gbits;

    /** What is to be measured, if it can be. */
    PerfPlan plan(boolean latency, PerfDepths depths) throws HvException {
        if (verb.isEmpty()) {
            throw new HvException(ExitCode.USAGE, "--verb is missing", "send, write, read or atomic");
        }
        BenchVerb chosen = Choices.pick(
                        "--verb",
                        List.of(verb.equals("atomic") ? "fetch-add" : verb),
                        BenchVerb.values(),
                        BenchVerb::word)
                .getFirst();
        QpType transport = Choices.pick("-c", List.of(connection), TRANSPORTS, QpType::name)
                .getFirst();
        PerfRules.check(latency, chosen, transport, given(depths));
        List<MeasuredPath> measured =
                paths.isEmpty() ? STANDARD_PATHS : Choices.pick("--path", paths, machinePaths(), MeasuredPath::word);
        PerfQueues queues = new PerfQueues(
                number("-q", depths.queuePairs, 1, PerfPlan.MOST_QUEUE_PAIRS, 1),
                number("-t", depths.txDepth, 1, PerfPlan.MOST_DEPTH, PerfPlan.txDepth(latency)),
                number("-r", rxDepth, 1, PerfPlan.MOST_DEPTH, PerfPlan.RX_DEPTH),
                number("-l", postList, 1, PerfPlan.MOST_DEPTH, 1),
                number("-Q", moderation, 1, PerfPlan.MOST_DEPTH, 0),
                number("-I", inline, 0, PerfPlan.MOST_INLINE, 0));
        PerfPlan plan = new PerfPlan(
                latency,
                chosen,
                transport,
                sizes(latency, chosen, transport),
                measured,
                number("-n", iterations, PerfPlan.LEAST_ITERATIONS, PerfRound.MOST_SAMPLES, PerfPlan.ITERATIONS),
                number("-D", seconds, 1, PerfPlan.MOST_SECONDS, 0),
                queues,
                flags(),
                gbits);
        plan.check();
        return plan.withPeakIfFew();
    }

    private static MeasuredPath[] machinePaths() {
        return Arrays.stream(MeasuredPath.values())
                .filter(MeasuredPath::isOfMachine)
                .toArray(MeasuredPath[]::new);
    }

    private Set<PerfFlag> flags() {
        Set<PerfFlag> flags = EnumSet.noneOf(PerfFlag.class);
        note(flags, PerfFlag.EVENTS, events);
        note(flags, PerfFlag.BIDIRECTIONAL, bidirectional);
        note(flags, PerfFlag.NO_PEAK, noPeak);
        note(flags, PerfFlag.SRQ, srq);
        return flags;
    }

    private Set<String> given(PerfDepths depths) {
        Set<String> given = new LinkedHashSet<>();
        note(given, "-a", all);
        note(given, "-s", !sizes.isEmpty());
        note(given, "-n", iterations != null);
        note(given, "-D", seconds != null);
        note(given, "-q", depths.queuePairs != null);
        note(given, "-t", depths.txDepth != null);
        note(given, "-r", rxDepth != null);
        note(given, "-l", postList != null);
        note(given, "-Q", moderation != null);
        note(given, "-I", inline != null);
        note(given, "-e", events);
        note(given, "-b", bidirectional);
        note(given, "-N", noPeak);
        note(given, "--use-srq", srq);
        note(given, "--report_gbits", gbits);
        return given;
    }

    private static <E> void note(Set<E> set, E element, boolean isThere) {
        if (isThere) {
            set.add(element);
        }
    }

    private List<Integer> sizes(boolean latency, BenchVerb chosen, QpType transport) throws HvException {
        if (all) {
            return PerfPlan.allSizes(transport);
        }
        return Choices.bytesWithin(
                "-s", sizes, 1, PerfPlan.largestBytes(transport), PerfPlan.standardSizes(latency, chosen, transport));
    }

    private static int number(String option, @Nullable Integer given, int least, int most, int standard)
            throws HvException {
        List<Integer> numbers = given == null ? List.of() : List.of(given);
        return Choices.within(option, numbers, least, most, List.of(standard)).getFirst();
    }
}
