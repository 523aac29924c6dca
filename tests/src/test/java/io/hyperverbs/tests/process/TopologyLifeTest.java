package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Topologies come up and go down, and leave nothing, whatever happens to them. */
@Order(3)
@RunsWhenChanged
class TopologyLifeTest {
    @TempDir
    Path folder;

    @Test
    void takenNameIsAConflictAndDownLeavesNothing() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            hv.run("up", "-d", "--topo", "pair").expect(0);
            List<ProcessHandle> processes = hv.processes();
            assertThat(processes).hasSize(3);
            Path state = hv.state("pair");
            assertThat(state.resolve("vmm.sock")).exists();

            HvProcess.Outcome second = hv.run("up", "-d", "--topo", "pair").expect(5);
            assertThat(second.err().strip().lines())
                    .last()
                    .asString()
                    .startsWith("hv: ")
                    .contains("pair");
            assertThat(processes).allMatch(ProcessHandle::isAlive);

            hv.run("down").expect(0);

            assertThat(processes).allMatch(ProcessEnd::hasEnded);
            assertThat(state).doesNotExist();
        }
    }

    @Test
    void domainsDieWithTheirVmm() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            hv.run("up", "-d", "--topo", "pair").expect(0);
            List<ProcessHandle> processes = hv.processes();
            long vmm = hv.run("inspect", "--format", "json")
                    .expect(0)
                    .json()
                    .get("vmm_pid")
                    .asLong();

            ProcessHandle.of(vmm).orElseThrow().destroyForcibly();

            for (ProcessHandle process : processes) {
                assertThat(process.onExit()).succeedsWithin(java.time.Duration.ofSeconds(10));
            }
            hv.run("clean").expect(0);
            assertThat(hv.state("pair")).doesNotExist();
        }
    }

    @Test
    void badTopologiesAreNamedWithTheirLine() throws Exception {
        String topology = write("typo", "guests:\n  a: { memroy: 64MiB }");
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome outcome = hv.run("-t", topology, "up", "-d").expect(3);

            assertThat(outcome.err())
                    .contains(topology + ":4")
                    .contains("memroy")
                    .contains("memory");
            hv.run("-t", "/nonexistent.hv.yaml", "up").expect(4);
            hv.run("frobnicate").expect(2);
        }
    }

    @Test
    void memoryThatTheComputerHasNotIsRefusedInOneLineWithItsSum() throws Exception {
        String topology = write("large", "guests: { a: { memory: 1024GiB }, b: { memory: 1024GiB } }");
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome refused = hv.run("-t", topology, "up", "-d").expect(3);

            assertThat(refused.out()).isEmpty();
            assertThat(refused.err())
                    .matches("hv: memory adds up to \\d{7} MiB \\(guests 2097152, .*\\); the computer can spare \\d+;"
                            + " .*\n");
        }
    }

    /** Sizes that both sides of a ping-pong give must be the same; who gives none takes the other's. */
    @Test
    void upWaitsForAllProgramsAndEndsWithTheFirstCodeThatIsNotZero() throws Exception {
        String topology = write("played", """
            hca: { core: shared }
            guests:
              a: { app: { main: pingpong, args: [-s, 64, -n, 10, b] } }
              b: { app: { main: pingpong, args: [-n, 10, -w, 0] } }
              c: { app: { main: pingpong, args: [-s, 64, d] } }
              d: { app: { main: pingpong, args: [-s, 128] } }
            """);
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome up =
                    hv.run("-t", topology, "up", "-d", "--wait=done").expect(1);

            assertThat(up.out()).isEmpty();
            assertThat(up.err()).contains("hv: played is up: 4 domains in ");
            Map<String, String> states = new TreeMap<>();
            for (JsonNode domain :
                    hv.run("ps", "--format", "json").expect(0).json().get("domains")) {
                states.put(domain.get("name").asString(), domain.get("state").asString());
            }
            assertThat(states).hasToString("{a=shut-down, b=shut-down, backend=running, c=crashed, d=crashed}");
            for (String side : List.of("a", "b")) {
                assertThat(hv.run("logs", side).expect(0).out())
                        .contains("1280 bytes in ")
                        .contains("10 iters in ");
            }
            for (String side : List.of("c", "d")) {
                String other = side.equals("c") ? "d has -s 128" : "c has -s 64";
                assertThat(hv.run("logs", side).expect(0).out())
                        .contains("pingpong: " + side + " has -s ")
                        .contains(" and " + other + "; give it on one side, or the same on both");
            }
        }
    }

    private String write(String name, String rest) throws Exception {
        Path file = folder.resolve(name + ".hv.yaml");
        return Files.writeString(file, "apiVersion: hv/v1\nname: " + name + "\n" + rest + "\n")
                .toString();
    }

    @InEachBuild
    @Test
    void programsRunInGuestsAndTheirExitCodeIsOurs() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome hello = hv.run("run", "examples/WriteHello.java").expect(0);

            assertThat(hello.out()).isNotBlank();
            hv.run("run", "examples/NoSuch.java").expect(4);
        }
    }
}
