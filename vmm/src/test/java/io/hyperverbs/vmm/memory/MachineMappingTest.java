package io.hyperverbs.vmm.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class MachineMappingTest {
    @Test
    void extentAppearsAtItsFramesAndTurnsIntoZeroes() throws Exception {
        MachineMapping mapping = MachineMapping.reserve(1 << 20);
        try (Fd fd = Memfd.create("test", 8192, false);
                Arena arena = Arena.ofShared()) {
            MemoryMap.map(fd, 8192, false, arena).set(JAVA_LONG, 4096, 77);

            MappedExtent extent = mapping.add(20, 2, FrameKind.RAM, fd);

            assertThat(mapping.memory().get(JAVA_LONG, 21 * 4096)).isEqualTo(77);
            assertThat(extent.memory().byteSize()).isEqualTo(8192);
            mapping.remove(extent);
            assertThat(mapping.memory().get(JAVA_LONG, 21 * 4096)).isZero();
            // Private from now on: it reaches nobody.
            extent.memory().set(JAVA_LONG, 4096, 5);
            assertThat(MemoryMap.map(fd, 8192, false, arena).get(JAVA_LONG, 4096))
                    .isEqualTo(77);
        }
    }

    @Test
    void refusesFramesBeyondItsEnd() throws Exception {
        MachineMapping mapping = MachineMapping.reserve(1 << 20);
        try (Fd fd = Memfd.create("test", 8192, false)) {
            for (long first : new long[] {-1, 255, 256, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> mapping.add(first, 2, FrameKind.RAM, fd))
                        .isInstanceOf(PosixException.class);
            }
            assertThat(mapping.add(254, 2, FrameKind.RAM, fd).firstMachineFrame())
                    .isEqualTo(254);
        }
    }

    @Test
    void reservesMuchMoreThanTheComputerHas() throws Exception {
        assertThat(MachineMapping.reservableBytes()).isGreaterThanOrEqualTo(1L << 30);
    }
}
