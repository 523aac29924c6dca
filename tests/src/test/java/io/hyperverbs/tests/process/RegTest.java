package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** {@code hv bench reg} from start to end. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class RegTest {
    @Test
    void measuresEachStepAtEachSiteAndLeavesNothing() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            JsonNode found = hv.run(
                            "bench",
                            "reg",
                            "--quick",
                            "--rounds",
                            "2",
                            "-n",
                            "20",
                            "-s",
                            "1,1048576",
                            "--format",
                            "json")
                    .expect(0)
                    .json();

            assertThat(found.get("schema").asString()).isEqualTo("hv.reg/1");
            assertThat(found.has("date")).isTrue();
            // Two sizes, a PD, a CQ and the five steps of a QP at three sites; the first verbs at two.
            assertThat(found.get("rows")).hasSize((2 * 2 + 2 + 2 + 5) * 3 + 2 * 2);
            List<String> compared = new ArrayList<>();
            for (JsonNode row : found.get("rows")) {
                String site = row.get("site").asString();
                assertThat(row.get("samples").asInt()).as("%s", row).isPositive();
                assertThat(row.get("p50_us").asDouble()).as("%s", row).isPositive();
                assertThat(row.get("over_floor").isNull()).as("%s", row).isEqualTo(site.equals("grpc call"));
                if (site.equals("bypass")) {
                    assertThat(row.get("over_floor").asDouble()).as("%s", row).isPositive();
                    compared.add(row.get("verb").asString());
                }
            }
            assertThat(compared)
                    .contains("reg_mr", "dereg_mr", "alloc_pd", "create_cq", "modify_qp RTS", "first dereg_mr");
            assertThat(hv.run("ps", "--format", "json").expect(0).json().get("domains"))
                    .isEmpty();
        }
    }

    @InEachBuild
    @Test
    void refusesWhatItCannotMeasure() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            assertThat(hv.run("bench", "reg", "-s", "0").expect(2).err()).contains("must be 1 to 67108864");
            assertThat(hv.run("bench", "reg", "--verb", "mw").expect(2).err()).contains("mr, pd, cq, qp, first");
            assertThat(hv.run("bench", "reg", "--rounds", "0").expect(2).err()).contains("--rounds 0");
        }
    }
}
