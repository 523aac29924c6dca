package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Topologies come up and go down, and leave nothing, whatever happens to them. */
@Order(3)
class TopologyLifeTest {

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

            assertThat(processes).noneMatch(ProcessHandle::isAlive);
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
        try (HvProcess hv = new HvProcess()) {
            Path file = Files.createTempFile("hv", ".hv.yaml");
            try {
                Files.writeString(file, "apiVersion: hv/v1\nname: x\nguests:\n  a: { memroy: 64MiB }\n");

                HvProcess.Outcome outcome =
                        hv.run("-t", file.toString(), "up", "-d").expect(3);

                assertThat(outcome.err())
                        .contains(file + ":4")
                        .contains("memroy")
                        .contains("memory");
            } finally {
                Files.delete(file);
            }
            hv.run("-t", "/nonexistent.hv.yaml", "up").expect(4);
            hv.run("frobnicate").expect(2);
        }
    }

    @Test
    void programsRunInGuestsAndTheirExitCodeIsOurs() throws Exception {
        try (HvProcess hv = new HvProcess()) {
            HvProcess.Outcome hello = hv.run("run", "examples/WriteHello.java").expect(0);

            assertThat(hello.out()).isNotBlank();
            hv.run("run", "examples/NoSuch.java").expect(4);
        }
    }
}
