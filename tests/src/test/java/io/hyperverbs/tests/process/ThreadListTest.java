package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.OneOfEach;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Of each thread of VMM and device domain it is written down what becomes of what it throws. */
class ThreadListTest extends MachineTest {
    private static final Path LIST = Path.of("..", "docs", "adr", "0032-confine-what-is-thrown.md");

    /** The kernel keeps so much of a name. */
    private static final int COMM = 15;

    /** The JVM's own, in which no code of the project runs, and the launcher's. */
    private static final Pattern JVM =
            Pattern.compile("java|C[12] Comp.*|GC .*|G1 .*|VM .*|Common-Cleaner|Finalizer|Monitor Deflati"
                    + "|Notification Th|Reference Handl|Service Thread|Signal Dispatch"
                    + "|DestroyJavaVM|Attach Listener|Sweeper.*|Unloader.*|JFR .*"
                    + "|Training replay");

    @Test
    void namesEachThreadThatRuns() throws Exception {
        List<String> listed = listed();
        Set<String> unknown = new TreeSet<>();
        Set<String> known = new TreeSet<>();
        for (String path : List.of("native", "bypass", "forwarded")) {
            String guest = "threads-" + path;
            var _ = machine().add(TestMachine.guest(guest, path), TestMachine.program(OneOfEach.class));
            var _ = machine().awaitKey("domain/" + guest + "/up");
        }

        for (long pid : trusted(machine().client())) {
            for (String thread : threads(pid)) {
                if (listed.stream().anyMatch(thread::startsWith)) {
                    known.add(thread);
                } else if (!JVM.matcher(thread).matches()) {
                    unknown.add(thread);
                }
            }
        }

        for (String path : List.of("native", "bypass", "forwarded")) {
            var _ = machine().client().stopDomain("threads-" + path, Duration.ZERO);
        }
        assertThat(unknown).isEmpty();
        assertThat(known)
                .contains("hca-engine", "event-relay", "notices", "notice-worker-0", "cm-timer")
                .contains("process-starter", "reserve-0", "hypercall-repli", "native-threads-");
    }

    private static List<Long> trusted(MachineClient client) throws Exception {
        List<Long> pids = new ArrayList<>(List.of(client.status().vmmPid()));
        for (DomainReport domain : client.status().domains()) {
            if (domain.kind() == DomainKind.BACKEND) {
                pids.add(domain.pid());
            }
        }
        assertThat(pids).hasSize(2);
        return pids;
    }

    private static Set<String> threads(long pid) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks.toList()) {
                try {
                    names.add(Files.readString(task.resolve("comm")).strip());
                } catch (IOException ended) {
                    // It ended while the others were listed.
                }
            }
        }
        return names;
    }

    /** How the names in the first column begin. */
    private static List<String> listed() throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(LIST)) {
            if (line.startsWith("| `")) {
                Matcher name = Pattern.compile("`([^`]+)`").matcher(line.split("\\|", -1)[1]);
                while (name.find()) {
                    String start = name.group(1).replaceAll("(ID-NAME|NAME|N)$", "");
                    names.add(start.substring(0, Math.min(COMM, start.length())));
                }
            }
        }
        assertThat(names).hasSizeGreaterThan(20).noneMatch(String::isBlank);
        return names;
    }
}
