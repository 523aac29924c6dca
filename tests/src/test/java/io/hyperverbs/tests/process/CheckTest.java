package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code hv check} from start to end; {@link HvProcess#close} sees that nothing is left. */
@RunsWhenChanged
class CheckTest {
    private static final List<String> PATHS = List.of("native", "bypass", "forwarded", "forwarded-unary");

    @Test
    void givesAVerdictOnEachPath() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            JsonNode found = hv.run("check", "--conformance", "--format", "json", "errors.two-bad-in-a-row", "pd")
                    .expect(0)
                    .json();

            assertThat(found.get("passed").asBoolean()).isTrue();
            assertThat(found.get("cases").size()).isGreaterThan(1);
            for (JsonNode one : found.get("cases")) {
                for (String path : PATHS) {
                    String key = path.replace('-', '_');
                    assertThat(one.get("verdicts").get(key).get("passed").asBoolean())
                            .as("%s on %s", one.get("case"), path)
                            .isTrue();
                }
            }
        }
    }
}
