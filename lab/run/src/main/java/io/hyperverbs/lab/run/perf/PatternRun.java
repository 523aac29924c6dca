package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.bench.perf.PatternProgram;
import io.hyperverbs.lab.bench.perf.PatternRound;
import io.hyperverbs.lab.bench.perf.PerfRound;
import io.hyperverbs.lab.bench.perf.TimeCounts;
import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.StoreCommands;
import io.hyperverbs.lab.run.bench.WarmUp;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/** Measures patterns in a machine whose domains run {@link PatternProgram}; one row at a time, between hop probes. */
public final class PatternRun {
    private static final int PROBE_MILLIS = 50;
    private static final double NANOS = 1e9;

    private final PerfPlan plan;
    private final TrafficPattern pattern;
    private final int guests;
    private final StoreCommands commands;
    private final BenchRun.Hop hop;
    private final DoubleSupplier otherCores;
    private int session;

    /**
     * @param plan whose rows last for seconds
     * @param otherCores cores that other work has used since it was asked before
     */
    public PatternRun(
            PerfPlan plan,
            TrafficPattern pattern,
            int guests,
            StoreCommands commands,
            BenchRun.Hop hop,
            DoubleSupplier otherCores) {
        this.plan = plan;
        this.pattern = pattern;
        this.guests = guests;
        this.commands = commands;
        this.hop = hop;
        this.otherCores = otherCores;
    }

    /** The machine: so many guests, and so many native domains, as far as the paths need them. */
    public static Topology topology(List<MeasuredPath> paths, int guests, String name) {
        List<Guest> all = new ArrayList<>();
        String opened = paths.stream()
                .filter(path -> path != MeasuredPath.NATIVE)
                .map(MeasuredPath::word)
                .collect(Collectors.joining(","));
        for (int i = 0; i < guests; i++) {
            if (paths.contains(MeasuredPath.NATIVE)) {
                all.add(Guest.named(name(MeasuredPath.NATIVE, i))
                        .running(PatternProgram.class.getName())
                        .asNative());
            }
            if (!opened.isEmpty()) {
                all.add(Guest.named(name(MeasuredPath.BYPASS, i))
                        .running(PatternProgram.class.getName())
                        .onPath(opened));
            }
        }
        return new Topology(name, HcaSpec.standard(), all, List.of(), "hv bench --pattern");
    }

    private static String name(MeasuredPath path, int guest) {
        return (path == MeasuredPath.NATIVE ? "n" : "g") + (guest + 1);
    }

    /** Does rows of a second on each path, of the first size, until they are no faster. */
    public void warmUp(Progress progress) throws HvException, InterruptedException {
        PerfPlan shorter = plan.lasting(1);
        progress.begin("warming up", plan.paths().size());
        for (MeasuredPath path : plan.paths()) {
            WarmUp.run(WarmUp.Work.NEW, () -> {
                double perSecond =
                        row(shorter, path, plan.sizesBytes().getFirst()).all().perSecond();
                return new long[] {(long) (NANOS * 1000 / Math.max(1, perSecond))};
            });
            progress.step(path.word());
        }
    }

    /** Measures one size on one path. */
    public PatternRow row(MeasuredPath path, int sizeBytes) throws HvException, InterruptedException {
        return row(plan, path, sizeBytes);
    }

    private PatternRow row(PerfPlan rowPlan, MeasuredPath path, int sizeBytes)
            throws HvException, InterruptedException {
        double before = hop.measureNanos(PROBE_MILLIS);
        List<TrafficPattern.Pair> pairs = pattern.pairs(guests);
        int first = session;
        session += pairs.size() + 1;
        double _ = otherCores.getAsDouble();
        for (int guest = 0; guest < guests; guest++) {
            commands.give(
                    name(path, guest),
                    round(rowPlan, path, sizeBytes, guest, pairs, first).format());
        }
        PatternRow.PairRate[] rates = new PatternRow.PairRate[pairs.size()];
        for (int guest = 0; guest < guests; guest++) {
            String[] words = commands.answer(name(path, guest));
            int at = 1;
            for (int i = 0; i < rates.length; i++) {
                if (pairs.get(i).from() == guest) {
                    long messages = Long.parseLong(words[at]);
                    double perSecond = messages * NANOS / Long.parseLong(words[at + 1]);
                    String peer = name(path, pairs.get(i).to());
                    // The third figure is the peak, which rows of seconds do not have.
                    at += 3;
                    TimeCounts times = plan.latency() ? TimeCounts.parse(words[at++]) : null;
                    rates[i] = new PatternRow.PairRate(name(path, guest) + ">" + peer, messages, perSecond, times);
                }
            }
        }
        double others = otherCores.getAsDouble();
        HopState state = HopState.between(before, hop.measureNanos(PROBE_MILLIS));
        return new PatternRow(path, sizeBytes, List.of(rates), state, others);
    }

    /** What a guest does in a row whose sessions begin after {@code first}. */
    private PatternRound round(
            PerfPlan rowPlan, MeasuredPath path, int sizeBytes, int guest, List<TrafficPattern.Pair> pairs, int first) {
        List<String> others = new ArrayList<>();
        for (int other = 0; other < guests; other++) {
            if (other != guest) {
                others.add(name(path, other));
            }
        }
        List<PatternRound.Link> links = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i++) {
            TrafficPattern.Pair pair = pairs.get(i);
            PerfRound active = rowPlan.stream(first + 2 + i, path, sizeBytes);
            if (pair.from() == guest) {
                links.add(new PatternRound.Link(name(path, pair.to()), active));
            } else if (pair.to() == guest) {
                links.add(new PatternRound.Link(name(path, pair.from()), active.side(false)));
            }
        }
        return new PatternRound(first + 1, plan.latency(), others, links);
    }

    /** Waits until all programs take commands. */
    public void awaitReady() throws HvException {
        for (String domain : domains()) {
            commands.awaitReady(domain);
        }
    }

    /** Ends the programs. */
    public void end() throws HvException {
        for (String domain : domains()) {
            commands.end(domain);
        }
    }

    private List<String> domains() {
        return topology(plan.paths(), guests, "").guests().stream()
                .map(Guest::name)
                .toList();
    }
}
