package io.hyperverbs.lab.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.launcher.output.Format;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class PathVerdictsTest {
    private static final ConformanceCase ONE = new ConformanceCase("g.one", "g", "one holds", rig -> {});
    private static final ConformanceCase TWO = new ConformanceCase("g.two", "g", "two | holds", rig -> {});

    private final PathVerdicts verdicts =
            new PathVerdicts(List.of(ONE, TWO), List.of(CheckedPath.NATIVE, CheckedPath.FORWARDED_UNARY));

    private void passAll() {
        for (CheckedPath path : verdicts.paths()) {
            verdicts.add(path, "g.one", Verdict.PASSED);
            verdicts.add(path, "g.two", Verdict.PASSED);
        }
    }

    @Test
    void sumsUpWhenAllPassed() {
        passAll();

        assertThat(verdicts.allPassed()).isTrue();
        assertThat(verdicts.sentences()).containsExactly("2 cases on 2 paths: all passed");
    }

    @Test
    void namesTheRuleAndTheReasonOfAFailure() {
        passAll();
        verdicts.add(CheckedPath.NATIVE, "g.two", Verdict.failed("it is three"));

        assertThat(verdicts.allPassed()).isFalse();
        assertThat(verdicts.sentences())
                .containsExactly(
                        "FAIL g.two on native: it is three", "     rule: two | holds", "2 cases on 2 paths: 1 failed");
    }

    @Test
    void aCaseWithoutVerdictFails() {
        verdicts.add(CheckedPath.NATIVE, "g.one", Verdict.PASSED);

        assertThat(verdicts.allPassed()).isFalse();
        assertThat(verdicts.sentences()).last().isEqualTo("2 cases on 2 paths: 3 failed");
    }

    @Test
    void aProgramThatBrokeFailsTheRun() {
        passAll();
        verdicts.ended(CheckedPath.NATIVE, "ended with 1: killed");

        assertThat(verdicts.allPassed()).isFalse();
        assertThat(verdicts.sentences()).contains("the program on native ended with 1: killed");
    }

    @Test
    void tableHasAColumnForEachPath() {
        passAll();
        verdicts.add(CheckedPath.FORWARDED_UNARY, "g.one", Verdict.failed("no"));

        assertThat(verdicts.table().render(Format.CSV))
                .isEqualTo("case,native,forwarded_unary\ng.one,pass,FAIL\ng.two,pass,pass\n");
    }

    @Test
    void jsonCarriesReasons() {
        passAll();
        verdicts.add(CheckedPath.NATIVE, "g.one", Verdict.failed("no"));

        JsonNode json = verdicts.json();

        assertThat(json.get("passed").asBoolean()).isFalse();
        JsonNode cell = json.get("cases").get(0).get("verdicts").get("native");
        assertThat(cell.get("reason").asString()).isEqualTo("no");
    }

    @Test
    void pageCountsEachGroup() {
        passAll();

        assertThat(ConformancePage.of(verdicts))
                .contains(
                        "Nothing. 2 cases on 2 paths: all passed.\n",
                        "| group | cases | native | forwarded-unary |\n|---|---:|---:|---:|\n",
                        "| g | 2 | 2 | 2 |\n",
                        "| all | 2 | 2 | 2 |\n");
    }

    @Test
    void pageSaysWhatFailed() {
        passAll();
        verdicts.add(CheckedPath.NATIVE, "g.two", Verdict.failed("it is three"));

        assertThat(ConformancePage.of(verdicts))
                .contains(
                        "FAIL g.two on native: it is three\n     rule: two | holds\n",
                        "2 cases on 2 paths: 1 failed.\n",
                        "| g | 2 | 1 | 2 |\n");
    }
}
