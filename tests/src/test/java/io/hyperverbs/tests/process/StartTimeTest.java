package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** A star of eight guests is up before its user loses patience. */
@Isolated("the time of a start is looked at")
class StartTimeTest {
    @Test
    void eightGuestsComeUpInFifteenSeconds() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            long startNanos = System.nanoTime();

            hv.run("up", "-d", "--topo", "star,n=8").expect(0);

            double seconds = (System.nanoTime() - startNanos) / 1e9;
            JsonNode domains = hv.run("ps", "--format", "json").expect(0).json().get("domains");
            List<String> states = new ArrayList<>();
            domains.forEach(domain -> states.add(domain.get("state").asString()));
            assertThat(states).hasSize(9).containsOnly("running");
            assertThat(seconds).isLessThan(15);
            hv.processes();
        }
    }
}
