package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import tools.jackson.databind.JsonNode;

import java.time.Duration;

/**
 * What a guest at its quota, and one that is stopped for ten seconds with all it may have under
 * way, cost a neighbour: of attacks of this length percentiles are judged too.
 */
@Isolated("paces are compared")
class NeighbourPaceTest {
    private static final Duration LIMIT = Duration.ofMinutes(4);

    @Test
    void keepsItsPace() throws Exception {
        try (Hv hv = new Hv()) {
            JsonNode found =
                    hv.run(
                                    LIMIT,
                                    "isolate",
                                    "quotas.neighbour",
                                    "channel.stopped-reader",
                                    "--duration",
                                    "10s",
                                    "--format",
                                    "json")
                            .expect(0)
                            .json();

            assertThat(found.get("attacks"))
                    .hasSize(2)
                    .allSatisfy(
                            one ->
                                    assertThat(one.get("verdict").asString())
                                            .as("%s: %s", one.get("case"), one.get("observed"))
                                            .isEqualTo("contained"));
        }
    }
}
