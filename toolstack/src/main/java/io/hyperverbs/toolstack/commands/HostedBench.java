package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.bench.BenchRound;
import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.SampleCodec;
import io.hyperverbs.lab.bench.WireBench;
import io.hyperverbs.lab.run.bench.BenchPlan;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.hosts.HostClient;
import io.hyperverbs.launcher.hosts.HostPlace;
import io.hyperverbs.launcher.hosts.HostUnreachable;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.machine.Parallel;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.domain.DomainState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** {@code hv bench} over hosts: a guest of one host measures against a guest of another, over the wire between them. */
final class HostedBench {
    /** Samples of a round, at most: they go through a guest's log. */
    private static final int MOST_ITERATIONS = 2_000;

    private static final int WARM_UP = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final CommandContext context;
    private final HostedTopology topology;
    private final HostedCommands hosts;

    HostedBench(CommandContext context, HostedTopology topology) {
        this.context = context;
        this.topology = topology;
        this.hosts = new HostedCommands(context, topology);
    }

    /** A guest, and where it is. */
    private record Side(HostPlace host, String guest) {
        @Override
        public String toString() {
            return guest + "@" + host.name() + " (" + host.address() + ")";
        }
    }

    /** Measures and prints. */
    int run(BenchPlan plan) throws HvException, InterruptedException {
        List<Side> sides = sides();
        Side active = sides.get(0);
        Side passive = sides.get(1);
        String largest = Integer.toString(plan.largestBytes());
        List<String> words = new ArrayList<>(List.of(largest, passive.guest, Integer.toString(plan.rounds())));
        for (Cell cell : plan.cells()) {
            words.add(round(plan, cell).format().replace(' ', ','));
        }
        AtomicReference<String> samples = new AtomicReference<>("");
        List<Callable<Boolean>> both = List.of(
                () -> {
                    String _ = runIn(passive, List.of(largest));
                    return true;
                },
                () -> {
                    samples.set(runIn(active, words));
                    return true;
                });
        Parallel.run(both, "cannot measure");
        report(active, passive, samples(plan, samples.get()));
        return ExitCode.OK.number();
    }

    private static BenchRound round(BenchPlan plan, Cell cell) {
        int iterations = Math.min(plan.iterations(), MOST_ITERATIONS);
        return new BenchRound(
                true,
                DataPathKind.BYPASS,
                cell.verb(),
                cell.sizeBytes(),
                iterations,
                Math.min(WARM_UP, iterations),
                plan.roundMillis());
    }

    /** The first guests, by name, of the first two hosts that have some. */
    private List<Side> sides() throws HvException, InterruptedException {
        List<PsRow> rows = new ArrayList<>();
        int _ = hosts.addRows(rows);
        List<Side> sides = new ArrayList<>();
        for (HostPlace host : topology.hosts()) {
            rows.stream()
                    .filter(row -> host.name().equals(row.host())
                            && row.kind().equals("guest")
                            && row.state() == DomainState.RUNNING)
                    .map(PsRow::name)
                    .sorted()
                    .findFirst()
                    .ifPresent(guest -> sides.add(new Side(host, guest)));
        }
        if (sides.size() < 2) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    topology.name() + " has running guests on " + sides.size() + " of the two hosts that it takes",
                    "hv ps shows them");
        }
        return sides.subList(0, 2);
    }

    private String runIn(Side side, List<String> args) throws HvException, IOException {
        CommandLine line = CommandLine.newBuilder()
                .addAllWords(List.of("run", "--in", side.guest, WireBench.WORD))
                .addAllWords(args)
                .build();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (HostClient client = topology.client(side.host)) {
            int exit = client.run(line, context.options().timeoutOr(PATIENCE), out, err);
            if (exit != ExitCode.OK.number()) {
                List<String> said = err.toString(StandardCharsets.UTF_8).lines().toList();
                throw new HvException(
                        ExitCode.FAILURE,
                        side + ": " + (said.isEmpty() ? "exit code " + exit : said.getFirst()),
                        "hv logs " + side.guest + " shows more");
            }
            return out.toString(StandardCharsets.UTF_8);
        } catch (HostUnreachable e) {
            throw new HvException(ExitCode.FAILURE, String.valueOf(e.getMessage()), "hv ps shows the other hosts");
        }
    }

    private static Map<Cell, List<long[]>> samples(BenchPlan plan, String printed) throws HvException {
        Map<Cell, List<long[]>> samples = new LinkedHashMap<>();
        plan.cells().forEach(cell -> samples.put(cell, new ArrayList<>()));
        try {
            for (String line : printed.lines().toList()) {
                String[] words = line.split(" ", -1);
                BenchRound round = BenchRound.parse(words[0].replace(',', ' '));
                List<String> chunks = Arrays.asList(words).subList(2, words.length);
                samples.computeIfAbsent(new Cell(round.verb(), round.sizeBytes()), _ -> new ArrayList<>())
                        .add(SampleCodec.decode(chunks, Integer.parseInt(words[1])));
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new HvException(ExitCode.FAILURE, "cannot make sense of the samples: " + e.getMessage(), "");
        }
        return samples;
    }

    private void report(Side active, Side passive, Map<Cell, List<long[]>> samples) {
        Table table = new Table(
                        "hv.bench-hosts/1",
                        "rows",
                        "VERB",
                        "BYTES",
                        "KIND",
                        "P50",
                        "P99",
                        "MIN",
                        "MAX",
                        "ROUNDS",
                        "COUNT")
                .with("from", active.guest)
                .with("from_host", active.host.name())
                .with("from_address", active.host.address())
                .with("to", passive.guest)
                .with("to_host", passive.host.name())
                .with("to_address", passive.host.address())
                .with("unit", "us");
        samples.forEach((cell, rounds) -> {
            if (!rounds.isEmpty()) {
                Percentiles times = Percentiles.ofNanos(rounds, cell.verb() == BenchVerb.SEND ? 2 : 1);
                table.row(
                        cell.verb().word(),
                        cell.sizeBytes(),
                        cell.verb().kind(),
                        us(times.median()),
                        us(times.percentile(99)),
                        us(times.min()),
                        us(times.max()),
                        rounds.size(),
                        times.count());
            }
        });
        context.print(table);
        context.note("from guest " + active + " to guest " + passive + " by RoCEv2, bypass on both; times in us, one"
                + " operation in flight");
    }

    private static Table.Shown us(double value) {
        return new Table.Shown(
                String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.1f", value), Math.round(value * 1e4) / 1e4);
    }
}
