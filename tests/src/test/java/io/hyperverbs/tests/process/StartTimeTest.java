package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

            String err =
                    hv.run("up", "-d", "-v", "--topo", "star,n=8").expect(0).err();

            double seconds = (System.nanoTime() - startNanos) / 1e9;
            JsonNode domains = hv.run("ps", "--format", "json").expect(0).json().get("domains");
            List<String> states = new ArrayList<>();
            domains.forEach(domain -> states.add(domain.get("state").asString()));
            assertThat(states).hasSize(9).containsOnly("running");
            assertThat(seconds).isLessThan(15);
            assertThat(guestRows(err))
                    .hasSize(8)
                    .allSatisfy(row -> assertThat(row)
                            .isSorted()
                            .last()
                            .satisfies(ready -> assertThat(ready).isBetween(0.1, seconds)));
            hv.processes();
        }
    }

    /** Seconds in which each guest was begun, announced, had a process, had connected, was ready. */
    private static List<List<Double>> guestRows(String timeline) {
        return timeline.lines()
                .map(line -> line.split(" +"))
                .filter(words -> words.length == 7 && words[1].matches("hub|g\\d"))
                .map(words -> Stream.of(words).skip(2).map(Double::valueOf).toList())
                .toList();
    }
}
