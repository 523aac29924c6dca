package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** {@code hv bench conn} from start to end. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class ConnTest {
    @Test
    void measuresEachStepAtEachSiteAndLeavesNothing() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            // Three sequences at four sites, of which a cycle alone takes some twenty verbs.
            JsonNode found = hv.run(
                            Duration.ofMinutes(5),
                            "bench",
                            "conn",
                            "--quick",
                            "--rounds",
                            "1",
                            "-n",
                            "6",
                            "--format",
                            "json")
                    .expect(0)
                    .json();

            assertThat(found.get("schema").asString()).isEqualTo("hv.conn/1");
            assertThat(found.has("date")).isTrue();
            // The cycle, its five steps and three figures of many, each native, on two paths and as a call.
            assertThat(found.get("rows")).hasSize((1 + 5 + 3) * 4);
            Set<String> compared = new HashSet<>();
            for (JsonNode row : found.get("rows")) {
                String site = row.get("site").asString();
                assertThat(row.get("samples").asInt()).as("%s", row).isPositive();
                assertThat(row.get("per_second").asDouble()).as("%s", row).isPositive();
                assertThat(row.get("over_floor").isNull()).as("%s", row).isEqualTo(site.equals("grpc call"));
                compared.add(row.get("verb").asString() + " " + site);
            }
            assertThat(compared)
                    .contains("cycle native", "connect bypass", "disconnect forwarded", "cycle x16 bypass")
                    .hasSize(found.get("rows").size());
            assertThat(hv.run("ps", "--format", "json").expect(0).json().get("domains"))
                    .isEmpty();
            assertThat(hv.run("bench", "conn", "--verb", "mr").expect(2).err()).contains("cycle, steps, many");
        }
    }
}
