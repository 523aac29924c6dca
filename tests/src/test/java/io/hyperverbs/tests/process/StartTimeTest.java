package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.domain.ProcessEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

/** A star of eight guests is up before its user loses patience, and domains end at once. */
@Isolated("the time of a start is looked at")
class StartTimeTest {
    private static final int MACHINES = 2;

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

    /** They are JVMs, which would wait for 300 ms at their end if one of their threads were in native code. */
    @Test
    void domainsEndWithoutTheirJvmsWait() throws Exception {
        double guest = Double.MAX_VALUE;
        double device = Double.MAX_VALUE;
        try (HvProcess hv = new HvProcess()) {
            for (int i = 0; i < MACHINES; i++) {
                hv.run("up", "-d", "--topo", "pair").expect(0);
                JsonNode domains =
                        hv.run("ps", "--format", "json").expect(0).json().get("domains");
                guest = Math.min(guest, secondsToEnd(domains, "a"));
                guest = Math.min(guest, secondsToEnd(domains, "b"));
                device = Math.min(device, secondsToEnd(domains, "backend"));
                hv.run("clean").expect(0);
            }
        }
        assertThat(guest).isLessThan(0.25);
        assertThat(device).isLessThan(0.25);
    }

    private static double secondsToEnd(JsonNode domains, String name) throws InterruptedException {
        long pid = domains.valueStream()
                .filter(domain -> domain.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow()
                .get("pid")
                .asLong();
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        long startNanos = System.nanoTime();
        assertThat(process.destroy()).isTrue();
        assertThat(ProcessEnd.await(process, Duration.ofSeconds(10))).isTrue();
        return (System.nanoTime() - startNanos) / 1e9;
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
