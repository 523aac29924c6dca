package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.report.BenchJson;
import io.hyperverbs.launcher.output.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A run as one object, {@code hv.suite/1}. */
public final class SuiteJson {
    private SuiteJson() {}

    public static ObjectNode of(SuiteResult result) {
        ObjectNode object = Json.object().put("schema", "hv.suite/1");
        ObjectNode environment = result.environment().json();
        environment.put("sandbox_tier", result.tier()).put("other_cores", BenchJson.rounded(result.otherCores()));
        object.put("quick", result.quick()).put("answer", SuiteWords.answer(result));
        object.set("environment", environment);
        ArrayNode figures = object.putArray("figures");
        result.figures().forEach(figure -> add(figures.addObject(), figure));
        ArrayNode claims = object.putArray("claims");
        result.verdicts().forEach(verdict -> add(claims.addObject(), verdict));
        return object;
    }

    private static void add(ObjectNode node, FigureData figure) {
        FigureInfo info = figure.info();
        node.put("name", info.name()).put("title", info.title()).put("paper", info.paper());
        node.put("axis", info.axis()).put("unit", info.unit()).put("baseline", info.baseline());
        node.put("says", info.says());
        node.put("dropped_rounds", figure.dropped()).put("other_cores", BenchJson.rounded(figure.otherCores()));
        node.set("rows", FigureTable.rows(List.of(figure)).object().get("rows"));
        ArrayNode rounds = node.putArray("by_round");
        for (FigureRow row : figure.rows()) {
            ObjectNode one = rounds.addObject();
            one.put("what", row.cell().what()).put("x", row.cell().x()).put("series", row.series());
            ArrayNode values = one.putArray("values");
            row.byRound().forEach(value -> values.add(BenchJson.rounded(value)));
        }
    }

    private static void add(ObjectNode node, ClaimVerdict verdict) {
        Claim claim = verdict.claim();
        node.put("claim", claim.text()).put("section", claim.section()).put("paper", claim.paper());
        node.put("figure", claim.figure()).put("what", claim.what());
        node.put("ratio_of", claim.series() + "/" + claim.over()).put("bound", claim.bound());
        FigureRatio ratio = verdict.ratio();
        if (ratio == null) {
            node.putNull("x").putNull("ratio").putNull("spread");
        } else {
            node.put("x", ratio.cell().x());
            node.put("ratio", BenchJson.rounded(ratio.value())).put("spread", BenchJson.rounded(ratio.spread()));
        }
        node.put("outcome", verdict.outcome().word()).put("why", verdict.why());
    }
}
