package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Churner;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kernel gives VMM or device domain no more descriptors: starts are refused, nothing ends. */
@RunsWhenChanged
class DescriptorsGoneTest {
    /** A start takes about so many in the VMM; at each it is refused elsewhere. */
    private static final int MOST = 9;

    private static Path descriptors(long pid) {
        return Path.of("/proc", Long.toString(pid), "fd");
    }

    private static long open(long pid) throws IOException {
        try (Stream<Path> all = Files.list(descriptors(pid))) {
            return all.count();
        }
    }

    private static void limit(long pid, String soft) throws Exception {
        Process tool = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + soft + ":")
                .inheritIO()
                .start();
        assertThat(tool.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(tool.exitValue()).isZero();
    }

    private static String softLimit(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "limits"))) {
            return lines.filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split(" +", -1)[3])
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void works(TestMachine machine, String name) throws Exception {
        assertThat(exitCode(machine, name)).isZero();
    }

    /** Of a guest that comes, makes objects and goes; its channel too may find no descriptors. */
    private static int exitCode(TestMachine machine, String name) throws Exception {
        var _ = machine.add(TestMachine.guest(name, "bypass"), TestMachine.program(Churner.class, "2", "strict"));
        return machine.awaitEnd(name).exitCode();
    }

    @Test
    void startsAreRefusedAndNothingIsLeft() throws Exception {
        try (TestMachine machine = new TestMachine(List.of(), Map.of())) {
            long vmm = machine.client().status().vmmPid();
            long backend = machine.client().status().domains().stream()
                    .filter(domain -> domain.kind() == DomainKind.BACKEND)
                    .findFirst()
                    .orElseThrow()
                    .pid();
            assumeTrue(Files.isReadable(descriptors(vmm)), "only root counts descriptors of these");
            works(machine, "before");
            for (long pid : new long[] {backend, vmm}) {
                long before = open(pid);
                String usual = softLimit(pid);
                int refused = 0;
                for (int more = 0; more <= MOST; more += 3) {
                    limit(pid, Long.toString(before + more));
                    try {
                        refused += exitCode(machine, "g" + pid + "-" + more) == 0 ? 0 : 1;
                    } catch (HvException | MachineException e) {
                        refused++;
                        assertThat(e.getMessage()).isNotBlank();
                    }
                }
                limit(pid, usual);

                assertThat(refused).isPositive();
                works(machine, "after" + pid);
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(open(pid)).isLessThanOrEqualTo(before));
                assertThat(machine.client().status().domains())
                        .filteredOn(domain -> domain.kind() == DomainKind.BACKEND)
                        .allMatch(domain -> domain.pid() == backend)
                        .allMatch(domain -> domain.state() == DomainState.RUNNING);
            }
        }
    }
}
