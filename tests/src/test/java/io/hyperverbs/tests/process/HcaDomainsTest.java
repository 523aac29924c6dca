package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Elsewhere;
import io.hyperverbs.tests.programs.ForeignFrames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a guest sees of a machine with two HCAs: its own one, whatever it asks for. */
@SeveralEngines
class HcaDomainsTest {
    /** Frames of the guests of these tests, 64 MiB each, and of the HCAs. */
    private static final int FRAMES = 5 * 16_384;

    private static TestMachine machine;

    @BeforeAll
    static void startMachine() throws Exception {
        machine = TestMachine.ofTwoHcas();
        for (Guest idle :
                List.of(Guest.named("near").onHca("hv0"), Guest.named("far").onHca("hv1"))) {
            var _ = machine.launcher().add(machine.machine(), idle, Optional.empty());
        }
    }

    @AfterAll
    static void stopMachine() throws Exception {
        machine.close();
    }

    @Test
    void aGuestSeesItsOwnHcaAndFindsGuestsOfOthers() throws Exception {
        machine.add(
                TestMachine.guest("asks", "bypass").onHca("hv1"),
                TestMachine.program(Elsewhere.class, "near", "far", "nobody", "hv0"));

        List<String> said = machine.output("asks");

        assertThat(said)
                .contains("device hv1", "lid 3", "far: found", "near: found")
                .filteredOn(line -> line.startsWith("device"))
                .hasSize(1);
        assertThat(said).anyMatch(line -> line.startsWith("gid 1 0000:0000:0000:0000:0000:ffff:7f"));
        assertThat(said)
                .anyMatch(line -> line.startsWith("nobody: ENOENT") && line.contains("no guest of that name"))
                .anyMatch(line -> line.startsWith("hv0: ENOENT") && line.contains("no guest of that name"));
    }

    @Test
    void aGuestRegistersNoFrameOfAGuestOnAnyHca() throws Exception {
        Path attacks = Path.of(RawDevice.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Program usual = TestMachine.program(ForeignFrames.class, Integer.toString(FRAMES));
        List<Path> files = new ArrayList<>(usual.files());
        files.add(attacks);
        machine.add(
                TestMachine.guest("greedy", "bypass").onHca("hv1"),
                new Program(usual.mainClass(), files, usual.args(), true));

        assertThat(machine.output("greedy")).contains("own [SUCCESS]", "others [EFAULT]");
    }
}
