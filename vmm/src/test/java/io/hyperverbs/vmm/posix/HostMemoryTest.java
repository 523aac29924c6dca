package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The decision alone, on numbers: a test that asked the kernel for too much would, should the check
 * fail, end other processes of the computer.
 */
class HostMemoryTest {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    @Test
    void leavesASixteenthToTheComputer() {
        assertThat(HostMemory.spare(16 * GIB, 16 * GIB)).isEqualTo(15 * GIB);
    }

    @Test
    void leavesAQuarterGibibyteToSmallComputers() {
        assertThat(HostMemory.spare(512 * MIB, GIB)).isEqualTo(256 * MIB);
        assertThat(HostMemory.spare(255 * MIB, GIB)).isZero();
    }

    @Test
    void refusesSizesThatOverflow() {
        for (long size : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> HostMemory.require(size))
                    .isInstanceOfSatisfying(
                            PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        }
    }

    @Test
    void readsMeminfo() throws Exception {
        String text = "MemTotal:       24684096 kB\nMemAvailable:   22934812 kB\n";

        assertThat(HostMemory.bytes(text, "MemAvailable:")).isEqualTo(22934812L * 1024);
        assertThatThrownBy(() -> HostMemory.bytes(text, "SwapFree:")).isInstanceOf(IOException.class);
    }
}
