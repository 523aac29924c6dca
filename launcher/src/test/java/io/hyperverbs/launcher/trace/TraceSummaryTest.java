package io.hyperverbs.launcher.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class TraceSummaryTest {
    private final TraceSummary summary = new TraceSummary();

    private void add(int calls, String verb, double micros, VerbWay way) {
        for (int i = 0; i < calls; i++) {
            summary.add(new TracedVerb("12:00:00.000000", "", verb, "", "0", micros, way));
        }
    }

    @Test
    void rowsAreSortedByTheirTimeInSum() {
        add(4, "post_send", 0.25, VerbWay.BYPASS);
        add(1, "post_send", 2, VerbWay.FORWARDED);
        add(1, "reg_mr", 97, VerbWay.FORWARDED);

        assertThat(summary.table().render(Format.TABLE)).isEqualTo("""
            VERB       CALLS  WAY        TOTAL(us)  MEAN(us)  SHARE(%)
            reg_mr         1  forwarded      97.00     97.00     97.00
            post_send      1  forwarded       2.00      2.00      2.00
            post_send      4  bypass          1.00      0.25      1.00
            """);
        assertThat(summary.sentences()).containsExactly("4 calls bypass the hypervisor (67 %), 2 are forwarded (33 %)");
    }

    @Test
    void programsGetNumbersAndSums() {
        add(3, "poll_cq", 0.5, VerbWay.BYPASS);
        summary.addDropped(7);
        summary.addNotUnderstood();

        JsonNode object = Json.parse(summary.table().render(Format.JSON));

        assertThat(Json.line(object))
                .isEqualTo(
                        "{\"schema\":\"hv.trace.summary/1\",\"calls_bypass\":3,\"calls_forwarded\":0,\"total_us\":1.5,"
                            + "\"lines_dropped\":7,\"lines_not_understood\":1,\"verbs\":[{\"verb\":\"poll_cq\",\"calls\":3,"
                            + "\"way\":\"bypass\",\"total_us\":1.5,\"mean_us\":0.5,\"share_percent\":100.0}]}");
        assertThat(summary.table().render(Format.CSV)).startsWith("verb,calls,way,total_us,mean_us,share_percent\n");
        assertThat(summary.sentences())
                .containsExactly(
                        "3 calls bypass the hypervisor (100 %), 0 are forwarded (0 %)",
                        "7 lines dropped by the guest: it logs faster than its log is written down",
                        "1 line not understood");
    }

    @Test
    void aFewAreNeverNone() {
        add(1, "reg_mr", 1, VerbWay.FORWARDED);
        add(999, "post_send", 1, VerbWay.BYPASS);

        assertThat(summary.sentences())
                .containsExactly("999 calls bypass the hypervisor (>99 %), 1 is forwarded (<1 %)");
    }

    @Test
    void anEmptyLogIsSaid() {
        assertThat(summary.sentences()).containsExactly("no verb was called");
        assertThat(summary.table().isEmpty()).isTrue();
    }
}
