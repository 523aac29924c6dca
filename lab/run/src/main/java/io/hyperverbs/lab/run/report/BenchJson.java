package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Ratio;
import io.hyperverbs.lab.run.bench.RoundGroup;
import io.hyperverbs.lab.run.bench.Row;
import io.hyperverbs.launcher.output.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A result as one object, {@code hv.bench/1}; times in microseconds. */
public final class BenchJson {
    private BenchJson() {}

    public static ObjectNode of(BenchResult result, String sandboxTier) {
        ObjectNode object = Json.object().put("schema", "hv.bench/1");
        ObjectNode environment = object.putObject("environment");
        environment.setAll(result.environment().json());
        environment.put("hop_state", Headline.hopState(result).word());
        environment.put("hop_ns", rounded(Headline.hopNanos(result)));
        environment.put("sandbox_tier", sandboxTier);
        ObjectNode hops = environment.putObject("hop_groups");
        for (HopState state : HopState.values()) {
            hops.put(state.word(), count(result, state));
        }
        environment.put("dropped_groups", result.droppedGroups());
        environment.put("payload_touched", false);
        ArrayNode rows = object.putArray("rows");
        result.rows().forEach(row -> add(rows, row));
        ArrayNode ratios = object.putArray("ratios");
        result.cells().forEach(cell -> add(ratios, result, cell));
        return object;
    }

    private static long count(BenchResult result, HopState state) {
        return result.groups().stream()
                .map(RoundGroup::hop)
                .filter(hop -> hop == state)
                .count();
    }

    private static void add(ArrayNode rows, Row row) {
        ObjectNode node = rows.addObject();
        node.put("verb", row.cell().verb().word()).put("size", row.cell().sizeBytes());
        node.put("path", row.path().word())
                .put("unit", "us")
                .put("kind", row.cell().verb().kind());
        node.put("p50", rounded(row.times().median()));
        node.put("p99", rounded(row.times().percentile(99)));
        node.put("p999", rounded(row.times().percentile(99.9)));
        node.put("p9999", rounded(row.times().percentile(99.99)));
        node.put("min", rounded(row.times().min()))
                .put("max", rounded(row.times().max()));
        node.put("mean", rounded(row.times().mean()));
        node.put("stdev", rounded(row.times().deviation()));
        node.put("p50_spread", rounded(row.spread()));
        node.put("rounds", row.rounds()).put("iterations", row.times().count());
        node.put("hop_state", row.hop().word());
        node.put("pollers", Headline.pollers(row.cell()));
    }

    private static void add(ArrayNode ratios, BenchResult result, Cell cell) {
        ObjectNode node = Json.object();
        for (Ratio ratio : result.ratios()) {
            if (ratio.cell().equals(cell)) {
                node.put(ratio.key(), rounded(ratio.value()));
                node.put(ratio.key() + "_spread", rounded(ratio.spread()));
                node.put("rounds", ratio.rounds());
            }
        }
        if (!node.isEmpty()) {
            ObjectNode all = ratios.addObject();
            all.put("verb", cell.verb().word()).put("size", cell.sizeBytes());
            all.setAll(node);
        }
    }

    /** Four decimals: a tenth of a nanosecond, below which nothing here means anything. */
    static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
