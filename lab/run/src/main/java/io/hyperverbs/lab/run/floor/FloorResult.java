package io.hyperverbs.lab.run.floor;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredRound;
import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.lab.run.bench.Standing;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What came of the floors: the rounds of the hop state that most good rounds had. Immutable. */
public final class FloorResult {
    private static final double GIB = 1 << 30;

    private final FloorPlan plan;
    private final List<FloorRound> rounds;
    private final int measured;
    private final Environment environment;

    /** {@code measured}: at least one round. */
    public FloorResult(FloorPlan plan, List<FloorRound> measured, Environment environment) {
        this.plan = plan;
        this.rounds = MeasuredRound.kept(measured);
        this.measured = measured.size();
        this.environment = environment;
    }

    private HopState hop() {
        return rounds.getFirst().hop();
    }

    private boolean isGood() {
        return rounds.getFirst().isGood();
    }

    /** Median over the rounds of their medians, in microseconds. */
    public double median(FloorCell cell) {
        return medians(cell).median();
    }

    private Percentiles medians(FloorCell cell) {
        return Percentiles.of(rounds.stream()
                .map(round -> Percentiles.ofNanos(
                                List.of(round.nanos().get(cell)), cell.floor().divisor())
                        .median())
                .toList());
    }

    /** Messages a second of a stream. */
    private double perSecond(FloorCell cell) {
        return 1e6 / median(cell);
    }

    /** Whether the figure of a floor is a result. */
    public Standing standing(FloorCell cell) {
        Percentiles medians = medians(cell);
        return Standing.of(isGood(), rounds.size(), medians.median(), medians.spread());
    }

    /** A row for each floor and size. */
    public Table table() {
        Table table = new Table(
                        "hv.floor/1",
                        "floors",
                        "FLOOR",
                        "BYTES",
                        "P50_US",
                        "P99_US",
                        "SPREAD_US",
                        "MSG_PER_S",
                        "GIB_PER_S",
                        "STANDING",
                        "OF")
                .with("hop", hop().word())
                .with("rounds", rounds.size())
                .dropFirst("SPREAD_US", "OF", "P99_US");
        for (FloorCell cell : plan.cells()) {
            Percentiles all = Percentiles.ofNanos(
                    rounds.stream().map(round -> round.nanos().get(cell)).toList(),
                    cell.floor().divisor());
            table.row(
                    cell.floor().word(),
                    cell.floor().hasSizes() ? cell.bytes() : null,
                    median(cell),
                    all.percentile(99),
                    medians(cell).spread(),
                    cell.floor().isStream() ? (Long) Math.round(perSecond(cell)) : null,
                    cell.floor().isStream() ? (Double) (perSecond(cell) * cell.bytes() / GIB) : null,
                    standing(cell).word(),
                    cell.floor().of());
        }
        return table;
    }

    /** What the table does not say. */
    public List<String> sentences() {
        List<String> lines = new ArrayList<>();
        lines.add("Times in μs: median of the rounds' medians, half the distance of their quartiles, 99th percentile"
                + " over all samples. No HCA and no VMM take part: what verbs take above it is what they cost.");
        for (Floor floor : Floor.values()) {
            lines.add(floor.word() + ": " + floor.says() + ".");
        }
        double hopNanos = Percentiles.of(
                        rounds.stream().map(FloorRound::hopNanos).toList())
                .median();
        lines.add(String.format(
                Locale.ROOT,
                "Environment: %d cores (%s), hop %s %.0f ns, halt-poll %s ns, %s, %s; %d of %d rounds were like each"
                        + " other%s.",
                environment.cores(),
                environment.cpu(),
                hop().word(),
                hopNanos,
                environment.haltPollNanos(),
                environment.jdk(),
                environment.kernel(),
                rounds.size(),
                measured,
                isGood() ? "" : ", and other work disturbed them"));
        return lines;
    }
}
