package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** {@code hv bench events} from start to end. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class BlockingEventsTest {
    @Test
    void measuresEachSiteAndLeavesNothing() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            JsonNode found = hv.run("bench", "events", "--quick", "--rounds", "2", "-n", "30", "--format", "json")
                    .expect(0)
                    .json();

            assertThat(found.get("schema").asString()).isEqualTo("hv.events/1");
            List<String> rows = new ArrayList<>();
            for (JsonNode row : found.get("rows")) {
                String site = row.get("site").asString();
                rows.add(row.get("verb").asString() + " " + site);
                assertThat(row.get("samples").asInt()).as("%s", row).isPositive();
                assertThat(row.get("p99_over_p50").asDouble()).as("%s", row).isGreaterThanOrEqualTo(1);
                assertThat(row.get("over_floor").isNull()).as("%s", row).isEqualTo(site.equals("futex wake"));
                if (List.of("posted", "forwarded").contains(site)) {
                    assertThat(row.get("over_floor").asDouble()).as("%s", row).isPositive();
                    assertThat(row.get("over_native").asDouble()).as("%s", row).isPositive();
                }
            }
            assertThat(rows)
                    .containsExactly(
                            "write native",
                            "write posted",
                            "write forwarded",
                            "write futex wake",
                            "write eventfd wake",
                            "send/recv native",
                            "send/recv posted",
                            "send/recv forwarded",
                            "send/recv futex wake",
                            "send/recv eventfd wake");
            assertThat(hv.run("ps", "--format", "json").expect(0).json().get("domains"))
                    .isEmpty();
            assertThat(hv.run("bench", "events", "-n", "0").expect(2).err()).contains("-n 0");
        }
    }
}
