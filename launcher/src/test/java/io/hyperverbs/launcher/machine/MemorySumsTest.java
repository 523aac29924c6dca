package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.BuiltIn;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemorySumsTest {
    private static final long MEBIBYTE = 1 << 20;

    // Guests have heaps of 64 MiB, VMM and device domain 128 and 512; 64 beside each.
    private static final long TRUSTED = 128 + 64 + 512 + 64;

    private static MemorySums sums(Guest... guests) {
        return MemorySums.of(
                new Installation(Path.of("none")),
                new Topology("t", HcaSpec.standard(), List.of(guests), List.of(), "a test"));
    }

    @Test
    void fitsToTheByte() throws HvException {
        MemorySums sums = sums(Guest.named("a").onPath("forwarded"));
        long pages = 16 * 4096;
        long needed = (64 + 64 + 64 + 64 + TRUSTED) * MEBIBYTE + pages;

        sums.check(needed);
        HvException refused = catchThrowableOfType(HvException.class, () -> sums.check(needed - 1));

        assertThat(refused.exit()).isEqualTo(ExitCode.INVALID_TOPOLOGY);
    }

    @Test
    void everyHcaHasADeviceDomain() throws HvException {
        MemorySums sums = MemorySums.of(
                new Installation(Path.of("none")), BuiltIn.find("pair,hcas=3").orElseThrow());

        assertThat(catchThrowableOfType(HvException.class, () -> sums.check(0)))
                .hasMessageContaining("VMM and 3 device domains " + (TRUSTED + 2 * (512 + 64)) + ")");
    }

    @Test
    void saysWhatAddsUpInOneLine() {
        MemorySums sums = sums(
                Guest.named("a").withMemory(1024 * MEBIBYTE),
                Guest.named("b").onPath("bypass,forwarded"),
                Guest.named("na").asNative());

        HvException refused = catchThrowableOfType(HvException.class, () -> sums.check(500 * MEBIBYTE));

        assertThat(refused)
                .hasMessage("memory adds up to 2241 MiB (guests 1152, their forwarded queues 65, their"
                        + " processes 256, VMM and device domain 768); the computer can"
                        + " spare 500; start fewer guests, or lower memory or"
                        + " quota.backing of each");
    }
}
