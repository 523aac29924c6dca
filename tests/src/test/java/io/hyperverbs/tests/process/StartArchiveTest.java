package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.Maps;
import io.hyperverbs.toolstack.machine.StartCache;
import io.hyperverbs.vmm.posix.Landlock;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.regex.Pattern;

/**
 * Guests start from the archive of their classes, whatever the sandbox shows them; a JVM that finds
 * it does not fit starts without and says nothing, so nobody else would tell.
 */
class StartArchiveTest {
    /** Of its own, not the JDK's; named as the sandbox shows it. */
    private static final Pattern ARCHIVE = Pattern.compile("/(start|guest)\\.jsa$");

    @ParameterizedTest
    @ValueSource(strings = {"1", "1b"})
    void aGuestHasMappedIt(String tier) throws Exception {
        assumeTrue(StartCache.GUEST.isMade(TestMachine.DISTRIBUTION), "built without start caches");
        assumeTrue(
                tier.equals("1") || Landlock.abi() >= Landlock.ABI_SCOPES, "Landlock is too old");
        try (TestMachine machine = TestMachine.ofTier(tier)) {
            machine.add(TestMachine.guest("a", "bypass"), TestMachine.program(Maps.class));

            assertThat(machine.output("a")).anyMatch(file -> ARCHIVE.matcher(file).find());
        }
    }
}
