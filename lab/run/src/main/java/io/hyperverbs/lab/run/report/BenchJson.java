package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.Ratio;
import io.hyperverbs.lab.run.bench.RoundGroup;
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
        environment.put("other_cores", rounded(BenchAnswer.otherCores(result)));
        environment.put("payload_touched", false);
        object.set("rows", Headline.rows(result).object().get("rows"));
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

    private static void add(ArrayNode ratios, BenchResult result, Cell cell) {
        ObjectNode node = Json.object();
        for (Ratio ratio : result.ratios()) {
            if (ratio.cell().equals(cell)) {
                node.put(ratio.key(), rounded(ratio.value()));
                node.put(ratio.key() + "_spread", rounded(ratio.spread()));
                node.put(ratio.key() + "_standing", ratio.standing().word());
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
    public static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
