package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.FailingDistribution;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.FatalWitness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HCA fails as a whole in the process of the device domain. */
@RunsWhenChanged
class DeviceFatalTest {
    private static final Path COPY = Path.of("target/failing-dist").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void everyGuestHearsOfItAndCanStillCloseWhatItHas() throws Exception {
        Path trigger = folder.resolve("fail");
        FailingDistribution.make(TestMachine.DISTRIBUTION, COPY, trigger);
        try (TestMachine machine = new TestMachine(COPY)) {
            List<String> witnesses = new ArrayList<>();
            for (String path : List.of("bypass", "forwarded")) {
                machine.add(
                        path,
                        Map.of(
                                "idle-" + path,
                                TestMachine.program(FatalWitness.class),
                                "busy-" + path,
                                TestMachine.program(FatalWitness.class, "busy")));
                witnesses.addAll(List.of("idle-" + path, "busy-" + path));
            }
            for (String witness : witnesses) {
                machine.awaitKey("domain/" + witness + "/up");
            }

            Files.createFile(trigger);

            for (String witness : witnesses) {
                List<String> heard = List.of("receive: WR_FLUSH_ERR", "DEVICE_FATAL", "query: EIO", "all closed");
                assertThat(machine.output(witness))
                        .as(witness)
                        .filteredOn(line -> !line.startsWith("write"))
                        .isEqualTo(heard);
                assertThat(machine.console(witness))
                        .filteredOn(line -> line.startsWith("write"))
                        .isEqualTo(witness.startsWith("busy") ? List.of("write: WR_FLUSH_ERR") : List.of());
            }
            machine.add(TestMachine.guest("late", "bypass"), TestMachine.program(FatalWitness.class));
            assertThat(machine.awaitEnd("late").exitCode()).isEqualTo(1);
            assertThat(machine.console("late")).anyMatch(line -> line.contains("EIO"));
            assertThat(trigger).doesNotExist();
        }
    }
}
