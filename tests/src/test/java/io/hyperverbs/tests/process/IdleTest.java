package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A machine with nothing to do leaves the processor alone. */
@RunsWhenChanged
class IdleTest {
    private static final double SHARE = 0.01;
    private static final long CLOCK_TICKS = 100;
    private static final Duration WINDOW = Duration.ofSeconds(10);

    @Test
    void idleDomainsUseNoProcessor() throws Exception {
        try (TestMachine machine = new TestMachine(
                List.of(TestMachine.guest("a", "bypass"), TestMachine.guest("b", "bypass")), Map.of())) {
            long vmm = machine.client().status().vmmPid();
            // Compilers of the start run on for a moment: the first quiet window counts.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> assertThat(busyShares(vmm))
                            .allSatisfy((pid, share) ->
                                    assertThat(share).as("process %s", pid).isLessThan(SHARE)));
        }
    }

    /** Share of a processor that each process below {@code root}, and it, used over the window. */
    private static Map<Long, Double> busyShares(long root) throws Exception {
        Map<Long, Long> before = ticks(root);
        long start = System.nanoTime();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(500))
                .atMost(WINDOW.plusSeconds(20))
                .until(() -> System.nanoTime() - start >= WINDOW.toNanos());
        double seconds = (System.nanoTime() - start) / 1e9;
        Map<Long, Double> shares = new HashMap<>();
        ticks(root)
                .forEach((pid, ticks) ->
                        shares.put(pid, (ticks - before.getOrDefault(pid, 0L)) / (double) CLOCK_TICKS / seconds));
        assertThat(shares).hasSizeGreaterThanOrEqualTo(4);
        return shares;
    }

    private static Map<Long, Long> ticks(long root) throws Exception {
        Map<Long, Long> ticks = new HashMap<>();
        ProcessHandle vmm = ProcessHandle.of(root).orElseThrow();
        for (ProcessHandle process :
                Stream.concat(Stream.of(vmm), vmm.descendants()).toList()) {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            // After the name in parentheses: state is field 3, utime 14, stime 15 (proc(5)).
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            ticks.put(process.pid(), Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
        }
        return ticks;
    }
}
