package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/**
 * The decision alone, on numbers: a test that asked the kernel for too much would, should the check
 * fail, end other processes of the computer.
 */
class HostMemoryTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    @Test
    void leavesASixteenthToTheComputer() {
        assertThat(HostMemory.canSpare(15 * GIB, 16 * GIB, 16 * GIB)).isTrue();
        assertThat(HostMemory.canSpare(15 * GIB + 1, 16 * GIB, 16 * GIB)).isFalse();
    }

    @Test
    void leavesAQuarterGibibyteToSmallComputers() {
        assertThat(HostMemory.canSpare(256 * MIB, 512 * MIB, GIB)).isTrue();
        assertThat(HostMemory.canSpare(256 * MIB + 1, 512 * MIB, GIB)).isFalse();
        assertThat(HostMemory.canSpare(0, 255 * MIB, GIB)).isFalse();
    }

    @Test
    void refusesSizesThatOverflow() {
        assertThat(HostMemory.canSpare(Long.MAX_VALUE, 16 * GIB, 16 * GIB)).isFalse();
        assertThat(HostMemory.canSpare(-1, 16 * GIB, 16 * GIB)).isFalse();
    }

    @Test
    void readsMeminfo() throws Exception {
        String text = "MemTotal:       24684096 kB\nMemAvailable:   22934812 kB\n";

        assertThat(HostMemory.bytes(text, "MemAvailable:")).isEqualTo(22934812L * 1024);
        assertThatThrownBy(() -> HostMemory.bytes(text, "SwapFree:"))
                .isInstanceOf(IOException.class);
    }
}
