package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.DiskFiller;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Machines whose disk is full, but for a random number of bytes: they live, guests can give all
 * back, and go on once there is room. {@code -Ddisk.machines=50} for as many.
 */
@RunsWhenChanged
class DiskFullMachineTest {
    private static final int MACHINES = Integer.getInteger("disk.machines", 1);
    private static final long SEED = Long.getLong("disk.seed", 20_261_123);
    private static final int BLOCK_BYTES = 4096;
    private static final List<String> GUESTS = List.of("a", "b");

    @TempDir
    Path folder;

    @Test
    void machineLivesAndGoesOnWhenThereIsRoom() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may mount a small disk");
        for (int machine = 0; machine < MACHINES; machine++) {
            Random random = new Random(SEED + machine);
            // Short, because Unix socket paths are.
            Path mount = Files.createTempDirectory(Path.of("/tmp"), "hvd");
            run("mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", mount.toString());
            try {
                play(mount, random.nextInt(4 << 20));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + (SEED + machine), e);
            } finally {
                run("umount", "-l", mount.toString());
                Files.delete(mount);
            }
        }
    }

    private static void play(Path mount, long leftBytes) throws Exception {
        try (TestMachine machine = TestMachine.on(Files.createDirectory(mount.resolve("r")))) {
            for (String guest : GUESTS) {
                machine.add(TestMachine.guest(guest, "bypass"), TestMachine.program(DiskFiller.class));
            }
            Path filler = mount.resolve("filler");
            fill(filler, leftBytes);
            machine.client().storeWrite("domain/tool/full", "yes");
            for (String guest : GUESTS) {
                assertThat(machine.awaitKey("domain/" + guest + "/refused")).isEqualTo("ENOSPC");
            }
            List<Long> trusted = trusted(machine);

            Files.delete(filler);
            machine.client().storeWrite("domain/tool/room", "yes");

            for (String guest : GUESTS) {
                assertThat(machine.output(guest)).contains("goes on");
            }
            assertThat(trusted).allMatch(pid -> ProcessHandle.of(pid).isPresent());
            assertThat(trusted(machine)).isEqualTo(trusted);
        }
    }

    private static List<Long> trusted(TestMachine machine) throws Exception {
        long backend = machine.client().status().domains().stream()
                .filter(domain -> domain.kind() == DomainKind.BACKEND)
                .filter(domain -> !domain.state().ended())
                .map(DomainReport::pid)
                .findFirst()
                .orElseThrow();
        return List.of(machine.client().status().vmmPid(), backend);
    }

    private static void fill(Path filler, long leftBytes) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream out = Files.newOutputStream(filler, StandardOpenOption.CREATE_NEW)) {
            while (Files.getFileStore(filler).getUsableSpace() > leftBytes) {
                out.write(block);
            }
        }
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exitCode = process.onExit().join().exitValue();
        if (exitCode != 0) {
            throw new IOException(Map.of(List.of(command), said).toString());
        }
    }
}
