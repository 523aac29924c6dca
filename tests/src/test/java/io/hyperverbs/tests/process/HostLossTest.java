package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.hosts.HostPlace;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What the others see of a host that is gone, and what is left of it. */
@Order(2)
@SeveralEngines
@RunsWhenChanged
class HostLossTest extends TwoHostsTest {
    @Test
    void aHostThatVanishesIsSeenByPeersAndTheRestGoesOn() throws Exception {
        up();
        List<ProcessHandle> all = hv.processes();
        String program = getClass().getResource("ReadsByName.java").getPath();
        Process offerer = start("b", "run", "--in", "b", program, "offer");
        Process reader = start("a", "run", "--in", "a", program, "read", "b");
        await().atMost(Duration.ofMinutes(4)).until(() -> !reader.isAlive() || out("a").contains("reads"));
        assertThat(out("a"))
                .as("reader: %s", Files.readString(folder.resolve("a.err")))
                .contains("reads");

        HostPlace lost = hosts().hosts().get(1);
        ProcessHandle node = lost.alive().orElseThrow();
        List<ProcessHandle> killed =
                Stream.concat(Stream.of(node), node.descendants()).toList();
        List<Path> work = workFolders(killed);
        assertThat(work).as("the node has the program that it runs").isNotEmpty();
        node.destroyForcibly();

        expectWell(reader, "a");
        assertThat(out("a")).contains("reads: RETRY_EXC_ERR").contains("connection: DISCONNECTED");
        HvProcess.Outcome ps = hv.run("ps", "--format", "json").expect(1);
        assertThat(domains(ps)).containsExactlyInAnyOrder("n1 hv0", "n1 a");
        assertThat(ps.err()).contains("host n2: ");
        assertThat(hv.run("inspect", "b").expect(1).err()).contains("host n2: ");
        hv.run("inspect", "a").expect(0);
        HvProcess.Outcome link = hv.run("link", "hv0-hv1", "down").expect(1);
        assertThat(link.err()).contains("host n2: ");
        assertThat(hv.run("link", "--format", "json").expect(1).json().get("links"))
                .singleElement()
                .satisfies(one -> assertThat(one.get("state").asString()).isEqualTo("DOWN"));
        downWithoutTheSecond(all);
        assertThat(offerer.waitFor(1, TimeUnit.MINUTES)).as("b ends").isTrue();
        expectCleanRemoves(work, killed);
    }

    /** Those that the processes hold the locks of. */
    private static List<Path> workFolders(List<ProcessHandle> processes) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (ProcessHandle process : processes) {
            try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
                for (Path file : files.toList()) {
                    Path folder = Files.readSymbolicLink(file).getParent();
                    if (folder != null
                            && folder.getFileName() != null
                            && folder.getFileName().toString().startsWith("hv-work-")) {
                        folders.add(folder);
                    }
                }
            } catch (AccessDeniedException | NoSuchFileException e) {
                // A process in a sandbox, or one that has just ended or closed a file.
            }
        }
        return folders;
    }

    /** What is killed cannot remove its folders for temporary files. */
    private void expectCleanRemoves(List<Path> work, List<ProcessHandle> killed) throws Exception {
        await().atMost(Duration.ofMinutes(1)).until(() -> killed.stream().allMatch(ProcessEnd::hasEnded));

        hv.run("clean").expect(0);

        assertThat(work).allSatisfy(folder -> assertThat(folder).doesNotExist());
    }

    /** An HCA and a guest run on, until they are taken down. */
    private void downWithoutTheSecond(List<ProcessHandle> all) throws Exception {
        HvProcess.awaitLeft(all, 2);
        assertThat(hv.run("down").expect(1).err()).contains("host n2: ").contains("two is down on the other hosts");
        expectNothingLeft();
    }

    @Test
    void aHostEndsWhenTheFileSaysSo() throws Exception {
        Path file = topology("");
        // Times count from when the host's own machine is ready; the other one may take longer.
        Files.writeString(file, "faults: [{ at: 45s, host: n2 }]\n", StandardOpenOption.APPEND);
        hv.run(Duration.ofMinutes(5), "-t", file.toString(), "up", "-d").expect(0);
        List<ProcessHandle> all = hv.processes();

        assertThat(hosts().hosts().get(1).alive().orElseThrow().onExit()).succeedsWithin(Duration.ofMinutes(2));

        HvProcess.Outcome ps = hv.run("ps", "--format", "json").expect(1);
        assertThat(domains(ps)).containsExactlyInAnyOrder("n1 hv0", "n1 a");
        assertThat(ps.err()).contains("host n2: ").contains("its VMM is gone");
        downWithoutTheSecond(all);
    }
}
