package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** {@code hv bench} from start to end, on a computer that has other things to do. */
@Isolated("keeps all cores busy")
class BenchTest {
    /** Ends by itself, whatever becomes of the test. */
    private static final List<String> BUSY = List.of("timeout", "120", "sh", "-c", "while :; do :; done");

    @Test
    void ratiosBesideBusyNeighboursAreNoResults(@TempDir Path folder) throws Exception {
        List<Process> neighbours = new ArrayList<>();
        try (HvProcess hv = new HvProcess()) {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                neighbours.add(busy());
            }
            String report = folder.resolve("report").toString();

            JsonNode found = hv.run(
                            "bench",
                            "--quick",
                            "--verb",
                            "write",
                            "-s",
                            "8,64",
                            "--path",
                            "native,bypass,forwarded",
                            "--format",
                            "json",
                            "--out",
                            report)
                    .expect(0)
                    .json();

            assertThat(found.at("/environment/other_cores").asDouble()).isGreaterThan(0.5);
            assertThat(found.get("ratios")).hasSize(2);
            for (JsonNode ratio : found.get("ratios")) {
                assertThat(ratio.get("bypass_over_native_standing").asString()).isEqualTo("disturbed");
                assertThat(ratio.get("forwarded_over_bypass_standing").asString())
                        .isEqualTo("disturbed");
            }
        } finally {
            neighbours.forEach(BenchTest::end);
        }
    }

    private static Process busy() throws IOException {
        return new ProcessBuilder(BUSY).inheritIO().start();
    }

    // timeout passes the signal on to its child.
    private static void end(Process neighbour) {
        neighbour.destroy();
    }
}
