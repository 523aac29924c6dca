package io.hyperverbs.lab.run.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ComparisonTest {
    private static String row(String path, double median, double spread, int rounds, String hop) {
        return String.format(
                Locale.ROOT,
                "{\"verb\":\"write\",\"size\":64,\"path\":\"%s\",\"p50\":%f,\"p50_spread\":%f,\"rounds\":%d,"
                        + "\"hop_state\":\"%s\"}",
                path,
                median,
                spread,
                rounds,
                hop);
    }

    private static BenchFile file(String rows) throws Exception {
        return file(rows, "");
    }

    private static BenchFile file(String rows, String ratios) throws Exception {
        return BenchFile.of(
                Json.parse("{\"schema\":\"hv.bench/1\",\"environment\":{\"cores\":2,\"cpu\":\"c\"},\"rows\":[" + rows
                        + "],\"ratios\":[" + ratios + "]}"));
    }

    private static JsonNode only(BenchFile before, BenchFile now) {
        return Json.parse(new Comparison(before, now, 0.1).table().render(Format.JSON))
                .at("/rows/0");
    }

    @ParameterizedTest
    @CsvSource({"10, slower, true", "8.7, same, false", "8, same, false", "7.4, same, false", "7.2, faster, false"})
    void rowsBeyondTheThresholdAreSaidSo(double median, String verdict, boolean isSlower) throws Exception {
        BenchFile before = file(row("bypass", 8, 0.4, 5, "near"));
        BenchFile now = file(row("bypass", median, 0, 5, "near"));

        JsonNode row = only(before, now);

        assertThat(row.get("verdict").asString()).isEqualTo(verdict);
        assertThat(row.get("new_old").asDouble()).isEqualTo(median / 8);
        assertThat(row.get("spread").asDouble()).isEqualTo(BenchJson.rounded(median / 8 * 0.05));
        assertThat(new Comparison(before, now, 0.1).isSlower()).isEqualTo(isSlower);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 0.1, far,   'hop near, new far'",
        "2, 0.1, near,  new too few rounds",
        "5, 9.0, near,  new unsteady",
        "5, 0.1, mixed, new disturbed",
    })
    void whatIsNoResultOrOfAnotherHopStateIsNotCompared(int rounds, double spread, String hop, String verdict)
            throws Exception {
        BenchFile before = file(row("bypass", 8, 0.4, 5, "near"));
        BenchFile now = file(row("bypass", 20, spread, rounds, hop));

        JsonNode row = only(before, now);

        assertThat(row.get("verdict").asString()).isEqualTo(verdict);
        assertThat(row.get("new_old").isNull()).isTrue();
        assertThat(new Comparison(before, now, 0.1).isSlower()).isFalse();
        assertThat(new Comparison(before, now, 0.1).compared()).isZero();
    }

    @Test
    void disturbedCellsAreKnownByTheirRatios() throws Exception {
        String ratio = "{\"verb\":\"write\",\"size\":64,\"bypass_over_native\":1.0,"
                + "\"bypass_over_native_standing\":\"disturbed\"}";
        BenchFile before = file(row("bypass", 8, 0.4, 5, "near"), ratio);
        BenchFile now = file(row("bypass", 8, 0.4, 5, "near"));

        assertThat(only(before, now).get("verdict").asString()).isEqualTo("old disturbed");
    }

    @Test
    void rowsOfOneSideAreSaidSo() throws Exception {
        Comparison comparison = new Comparison(
                file(row("bypass", 8, 0, 5, "near") + "," + row("native", 8, 0, 5, "near")),
                file(row("native", 8, 0, 5, "near") + "," + row("forwarded", 80, 0, 5, "near")),
                0.1);

        assertThat(comparison.table().render(Format.CSV).lines().skip(1).map(line -> line.replaceAll(".*,", "")))
                .containsExactly("only old", "same", "only new");
        assertThat(comparison.compared()).isEqualTo(1);
        assertThat(comparison.sentences().getFirst())
                .isEqualTo("1 of 3 rows compared: 0 slower and 0 faster by more than 10 %.");
    }

    @ParameterizedTest
    @CsvSource({
        "8 8 8 8 8,    8 9 20 9 9,    slower, 1.125, 0",
        "8 80 8 8 8,   8 80 8 9 9,    same,   1,     0.0625",
        "8 8 8 8 8,    8 8 0 0 8,     same,   1,     0",
        "8 8 8 8 8,    8 8 0 0 0,     too few pairs, , ",
        "8 8 8 8 8,    4 8 24 32 32,  unsteady, , ",
        "8 8 8 8 8,    0 0 0 0 0,     no pair: new too few rounds, , ",
    })
    void pairsAreJudgedByTheMedianOfTheirRatios(
            String before, String now, String verdict, @Nullable Double ratio, @Nullable Double spread)
            throws Exception {
        List<Comparison.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pairs.add(new Comparison.Pair(runOf(before.split(" ")[i]), runOf(now.split(" ")[i])));
        }
        Comparison comparison = new Comparison(pairs, 0.1);

        JsonNode row = Json.parse(comparison.table().render(Format.JSON)).at("/rows/0");

        assertThat(row.get("verdict").asString()).isEqualTo(verdict);
        assertThat(
                        row.get("new_old").isNull()
                                ? null
                                : (Double) row.get("new_old").asDouble())
                .isEqualTo(ratio);
        assertThat(
                        row.get("spread").isNull()
                                ? null
                                : (Double) row.get("spread").asDouble())
                .isEqualTo(spread);
        assertThat(comparison.isSlower()).isEqualTo(verdict.equals("slower"));
        assertThat(comparison.sentences()).contains("Medians of 5 pairs of runs.");
    }

    /** Of a median, or for 0 without enough rounds. */
    private static BenchFile runOf(String median) throws Exception {
        double value = Double.parseDouble(median);
        return file(row("bypass", value == 0 ? 8 : value, 0.1, value == 0 ? 2 : 5, "near"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                              | has no schema, must be hv.bench/1",
                "{\"schema\":\"hv.ps/1\"}        | is hv.ps/1, must be hv.bench/1",
                "{\"schema\":\"hv.bench/1\"}     | has no rows",
                "{\"schema\":\"hv.bench/1\",\"rows\":[{\"verb\":\"write\"}]} | row 1 has no number 'size'",
                "[1]                             | has no schema, must be hv.bench/1",
                "{\"schema\":                    | is no JSON",
            })
    void otherFilesAreRefusedInWords(String text, String why, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("old.json"), text);

        assertThatThrownBy(() -> BenchFile.read(file))
                .isInstanceOf(BenchFile.BadFile.class)
                .hasMessageStartingWith(why);
    }

    @Test
    void aFileThatIsNotThereIsSaidSo(@TempDir Path folder) {
        assertThatThrownBy(() -> BenchFile.read(folder.resolve("none.json"))).hasMessage("is not there");
    }
}
