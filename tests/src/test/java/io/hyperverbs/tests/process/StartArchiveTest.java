package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.StartCache;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Maps;
import io.hyperverbs.vmm.posix.Landlock;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guests start from the archive of their classes, whatever the sandbox shows them; a JVM that finds
 * it does not fit starts without and says nothing, so nobody else would tell.
 */
@RunsWhenChanged
class StartArchiveTest {
    /** Of its own, not the JDK's; named as the sandbox shows it. */
    private static final Pattern ARCHIVE = Pattern.compile("/(start|guest)\\.jsa$");

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "1b, false"})
    void aGuestHasMappedIt(String tier, boolean brief) throws Exception {
        assumeTrue(StartCache.GUEST.isMade(TestMachine.DISTRIBUTION), "built without start caches");
        assumeTrue(tier.equals("1") || Landlock.abi() >= Landlock.ABI_SCOPES, "Landlock is too old");
        try (TestMachine machine = TestMachine.ofTier(tier)) {
            Program maps = TestMachine.program(Maps.class);
            machine.add(
                    TestMachine.guest("a", "bypass"), new Program(maps.mainClass(), maps.files(), maps.args(), brief));

            assertThat(machine.output("a"))
                    .anyMatch(file -> ARCHIVE.matcher(file).find());
        }
    }
}
