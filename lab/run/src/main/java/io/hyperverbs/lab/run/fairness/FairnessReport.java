package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.report.Origin;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A matrix for people and for programs. */
public record FairnessReport(Matrix matrix, Environment environment, String sandboxTier) {
    /** A row for each attacker, a column for each victim. */
    public Table table() {
        List<String> columns = new ArrayList<>(List.of("ATTACKER"));
        matrix.plan().victims().forEach(victim -> columns.add(victim.word()));
        Table table = new Table("hv.fairness/1", "rows", columns.toArray(String[]::new));
        for (Attacker attacker : matrix.plan().attackers()) {
            List<Object> row = new ArrayList<>(List.of(attacker.word()));
            for (Victim victim : matrix.plan().victims()) {
                row.add(text(matrix.cell(attacker, victim)));
            }
            table.row(row.toArray());
        }
        return table;
    }

    private static String text(Matrix.Cell cell) {
        return String.format(Locale.ROOT, "%.2f %.1fx%s", cell.share(), cell.tail(), cell.isFair() ? "" : " !");
    }

    /** A row for each cell. */
    public Table cells() {
        Table table = new Table(
                        "hv.fairness/1",
                        "cells",
                        "ATTACKER",
                        "VICTIM",
                        "SHARE",
                        "LOWEST",
                        "TAIL",
                        "SOLO_PER_SECOND",
                        "PER_SECOND",
                        "SOLO_P99_US",
                        "P99_US",
                        "ATTACKER_PER_SECOND",
                        "ROUNDS")
                .dropFirst("ROUNDS", "ATTACKER_PER_SECOND", "SOLO_P99_US", "P99_US", "SOLO_PER_SECOND", "PER_SECOND");
        for (Matrix.Cell cell : matrix.cells()) {
            table.row(
                    cell.attacker().word(),
                    cell.victim().word(),
                    rounded(cell.share()),
                    rounded(cell.lowest()),
                    rounded(cell.tail()),
                    rounded(cell.soloPerSecond()),
                    rounded(cell.perSecond()),
                    rounded(cell.soloP99Micros()),
                    rounded(cell.p99Micros()),
                    rounded(cell.attackerPerSecond()),
                    cell.rounds());
        }
        return table;
    }

    /** One object, {@code hv.fairness/1}. */
    public ObjectNode json() {
        ObjectNode object = Json.object().put("schema", "hv.fairness/1");
        ObjectNode where = object.putObject("environment");
        where.setAll(environment.json());
        where.put("sandbox_tier", sandboxTier);
        ObjectNode hops = where.putObject("hop_groups");
        for (HopState state : HopState.values()) {
            hops.put(
                    state.word(),
                    matrix.samples().stream().filter(s -> s.hop() == state).count());
        }
        object.put("least_share", Matrix.LEAST_SHARE).put("fair", matrix.isFair());
        ArrayNode cells = object.putArray("cells");
        for (Matrix.Cell cell : matrix.cells()) {
            cells.addObject()
                    .put("attacker", cell.attacker().word())
                    .put("victim", cell.victim().word())
                    .put("share", rounded(cell.share()))
                    .put("lowest_share", rounded(cell.lowest()))
                    .put("p99_over_solo", rounded(cell.tail()))
                    .put("solo_per_second", rounded(cell.soloPerSecond()))
                    .put("per_second", rounded(cell.perSecond()))
                    .put("solo_p99_us", rounded(cell.soloP99Micros()))
                    .put("p99_us", rounded(cell.p99Micros()))
                    .put("attacker_per_second", rounded(cell.attackerPerSecond()))
                    .put("rounds", cell.rounds());
        }
        return object;
    }

    /** What the numbers mean, and what has to be known to read them. */
    public List<String> sentences() {
        List<String> lines = new ArrayList<>();
        long unfair = matrix.cells().stream().filter(cell -> !cell.isFair()).count();
        lines.add("Each cell: what the victim gets of its fair share, then its p99 over its p99"
                + " alone; medians of "
                + matrix.plan().rounds()
                + " rounds. Fair share: half of the operations a second that the victim"
                + " does alone in the same round, both guests being of weight 1.");
        lines.add(
                unfair == 0
                        ? "All " + matrix.cells().size() + " cells are at 0.8 or above."
                        : unfair + " of " + matrix.cells().size() + " cells are below 0.8 (!).");
        if (environment.cores() < 3) {
            lines.add("More busy parties than cores: both guests run on the core that the HCA's"
                    + " engine leaves them. Floods sleep while their queues are full;"
                    + " doorbells, arms and control verbs take processor time of the victim's"
                    + " core too, which is the kernel's to share, half and half.");
        }
        lines.add(String.format(
                Locale.ROOT,
                "Environment: %d cores (%s), hop %s, halt-poll %s ns, %s, %s, sandbox tier" + " %s, commit %s.",
                environment.cores(),
                environment.cpu(),
                hops(),
                environment.haltPollNanos(),
                environment.jdk(),
                environment.kernel(),
                sandboxTier,
                environment.commit()));
        return lines;
    }

    private String hops() {
        List<String> words = new ArrayList<>();
        for (HopState state : HopState.values()) {
            long count = matrix.samples().stream().filter(s -> s.hop() == state).count();
            if (count > 0) {
                words.add(state.word() + " in " + count + " of "
                        + matrix.samples().size());
            }
        }
        return String.join(", ", words);
    }

    /** Writes {@code fairness.json}, {@code cells.csv} and the page, which it returns. */
    public Path write(Path folder, Origin origin) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("fairness.json"), Json.pretty(origin.stamp(json())) + "\n");
        Files.writeString(folder.resolve("cells.csv"), cells().render(Format.CSV));
        Path page = folder.resolve("report.html");
        Files.writeString(page, new FairnessPage(matrix, sentences(), origin.text()).render());
        return page;
    }

    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }
}
