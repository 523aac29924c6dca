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
    private static final int ENDS = 3;

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

    /** Processes that end are JVMs, which would wait 300 ms each for their threads in native code. */
    @Test
    void aPairIsDownInSevenTenthsOfASecond() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            double least = Double.MAX_VALUE;
            for (int i = 0; i < ENDS; i++) {
                hv.run("up", "-d", "--topo", "pair").expect(0);
                long startNanos = System.nanoTime();

                hv.run("down").expect(0);

                least = Math.min(least, (System.nanoTime() - startNanos) / 1e9);
            }
            assertThat(least).isLessThan(0.7);
        }
    }

    /** Seconds in which each guest was begun, had a process, was announced, had connected, was ready. */
    private static List<List<Double>> guestRows(String timeline) {
        return timeline.lines()
                .map(line -> line.split(" +"))
                .filter(words -> words.length == 7 && words[1].matches("hub|g\\d"))
                .map(words -> Stream.of(words).skip(2).map(Double::valueOf).toList())
                .toList();
    }
}
