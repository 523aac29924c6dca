package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** {@code hv bench floor} from start to end. */
@Isolated("keeps all cores busy")
@RunsWhenChanged
class FloorTest {
    @Test
    void measuresEachFloorAndLeavesNoProcess() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            JsonNode found = hv.run("bench", "floor", "--rounds", "3", "-s", "64,65536", "--format", "json")
                    .expect(0)
                    .json();

            assertThat(found.get("floors")).hasSize(6 * 2 + 3);
            for (JsonNode floor : found.get("floors")) {
                assertThat(floor.get("p50_us").asDouble()).as("%s", floor).isPositive();
                boolean isStream = floor.get("floor").asString().endsWith("stream");
                assertThat(floor.get("msg_per_s").isNumber()).as("%s", floor).isEqualTo(isStream);
                assertThat(floor.get("gib_per_s").isNumber()).as("%s", floor).isEqualTo(isStream);
            }
            assertThat(ProcessHandle.allProcesses()
                            .map(process -> process.info().commandLine().orElse("")))
                    .noneMatch(line -> line.contains("lab.run.floor.FloorParty"));
            assertThat(hv.run("bench", "floor", "-s", "4").expect(2).err()).contains("must be 8 to 1048576");
        }
    }
}
