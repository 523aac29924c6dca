package io.hyperverbs.lab.run.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.hyperverbs.lab.run.bench.BenchPlan;
import io.hyperverbs.lab.run.bench.BenchResult;
import io.hyperverbs.lab.run.bench.Cell;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.lab.run.bench.MeasuredPath;
import io.hyperverbs.lab.run.bench.RoundGroup;
import io.hyperverbs.launcher.output.Json;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ReportFolderTest {
    private static final Environment ENVIRONMENT =
            new Environment(2, "cpu <&>", "1 kB", "Linux 6", "JDK 25", "absent", "abc123-dirty");

    @TempDir
    Path folder;

    private BenchResult result;
    private int rounds;

    @BeforeEach
    void write() throws Exception {
        BenchPlan plan = BenchPlan.quick();
        rounds = plan.rounds();
        Random random = new Random(7);
        List<RoundGroup> groups = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (Cell cell : plan.cells()) {
                Map<MeasuredPath, long[]> nanos = new EnumMap<>(MeasuredPath.class);
                for (MeasuredPath path : plan.paths()) {
                    boolean forwarded = path.word().startsWith("forwarded");
                    long base = forwarded ? 40_000 : 1_000;
                    nanos.put(path, random.longs(200, base, base * 2).toArray());
                }
                groups.add(new RoundGroup(round, cell, HopState.NEAR, 52, 0, 1_000, 2_000, nanos));
            }
        }
        result = BenchResult.of(plan, groups, ENVIRONMENT);
        ReportFolder.write(
                folder,
                result,
                "2",
                new Origin(ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC), "hv bench --out 'my report'"));
    }

    @Test
    void objectFitsItsSchema() throws Exception {
        String schema = new String(
                ReportFolderTest.class.getResourceAsStream("bench.schema.json").readAllBytes(), StandardCharsets.UTF_8);
        JsonNode object = Json.parse(Files.readString(folder.resolve("bench.json")));

        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(Json.parse(schema))
                        .validate(object))
                .isEmpty();
        assertThat(object.get("rows")).hasSize(13 * 5);
        assertThat(object.get("ratios")).hasSize(13);
    }

    @Test
    void reportSaysWhenAndByWhichCommandLine() throws Exception {
        JsonNode object = Json.parse(Files.readString(folder.resolve("bench.json")));

        assertThat(object.get("date").asString()).isEqualTo("2026-01-02T03:04:05.000000Z");
        assertThat(object.get("command").asString()).isEqualTo("hv bench --out 'my report'");
        assertThat(object.at("/environment/memory_bytes").isIntegralNumber()).isTrue();
        assertThat(object.at("/environment/halt_poll_ns").isNull()).isTrue();
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("2026-01-02 03:04:05 +00:00: hv bench --out");
    }

    @Test
    void objectCarriesTheStatistics() {
        JsonNode row = BenchJson.of(result, "2").get("rows").get(0);

        var times = result.rows().getFirst().times();
        assertThat(row.get("p50").asDouble()).isEqualTo(Math.round(times.median() * 1e4) / 1e4);
        assertThat(row.get("p99").asDouble()).isEqualTo(Math.round(times.percentile(99) * 1e4) / 1e4);
        assertThat(row.get("iterations").asInt()).isEqualTo(200 * rounds);
        assertThat(row.get("rounds").asInt()).isEqualTo(rounds);
    }

    @Test
    void pageNeedsNoNetwork() throws Exception {
        String page = Files.readString(folder.resolve("report.html"));

        assertThat(page)
                .doesNotContainIgnoringCase("http:")
                .doesNotContainIgnoringCase("https:")
                .doesNotContain("src=", "href=", "url(", "@import", "<script", "<link");
        assertThat(page).contains("cpu &lt;&amp;&gt;").doesNotContain("cpu <");
    }

    @Test
    void plotsAreWellFormedWithACurveForEachPath() throws Exception {
        String page = Files.readString(folder.resolve("report.html"));
        List<String> plots = new ArrayList<>();
        for (int at = page.indexOf("<svg"); at >= 0; at = page.indexOf("<svg", at + 1)) {
            plots.add(page.substring(at, page.indexOf("</svg>", at) + 6));
        }

        assertThat(plots).hasSize(13);
        for (String plot : plots) {
            var document = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new org.xml.sax.InputSource(new StringReader(plot)));
            assertThat(document.getElementsByTagName("title").getLength()).isEqualTo(5);
            assertThat(plot).doesNotContain("NaN", "Infinity");
        }
    }

    @Test
    void histogramsHoldAllSamples() throws Exception {
        try (HistogramLogReader reader =
                new HistogramLogReader(folder.resolve("send-64-bypass.hlog").toFile())) {
            int lines = 0;
            long samples = 0;
            for (EncodableHistogram one = reader.nextIntervalHistogram();
                    one != null;
                    one = reader.nextIntervalHistogram()) {
                lines++;
                samples += ((org.HdrHistogram.Histogram) one).getTotalCount();
            }
            assertThat(lines).isEqualTo(rounds);
            assertThat(samples).isEqualTo(200L * rounds);
        }
        assertThat(Files.readString(folder.resolve("send-64-bypass.hgrm")))
                .contains("Percentile")
                .contains("Total count    = " + String.format("%12d", 200 * rounds));
    }

    @Test
    void rowsAreCommaSeparated() throws Exception {
        List<String> lines = Files.readAllLines(folder.resolve("rows.csv"));

        assertThat(lines).hasSize(1 + 13 * 5);
        assertThat(lines.getFirst()).startsWith("verb,size,path,kind,unit,p50,p99,p999");
        assertThat(lines.get(1)).startsWith("write,8,native,post-to-completion,us,");
        assertThat(lines).allMatch(line -> line.split(",").length == 18);
    }

    @Test
    void tableHasARowForEachVerbAndSize() {
        String table = Headline.table(result).render(io.hyperverbs.launcher.output.Format.TABLE);

        assertThat(table.lines()).hasSize(14);
        assertThat(table.lines().skip(1)).allMatch(line -> line.matches("(write|read|fetch-add|send) +\\d+ .*"));
    }

    @Test
    void sentencesSayWhatMattersToReadThem() {
        String text = String.join("\n", Headline.sentences(result, "2"));

        assertThat(text)
                .contains("on 2 cores; more pollers than cores, so the rows of send")
                .contains("near 52 ns")
                .contains("halt-poll absent")
                .contains("abc123-dirty")
                .contains("not touched")
                .doesNotContain("dropped");
    }
}
