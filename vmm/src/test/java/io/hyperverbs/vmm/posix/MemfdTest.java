package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class MemfdTest {
    private static final long SIZE = 8192;

    @Test
    void cannotBeTruncatedOrGrown() throws Exception {
        try (Fd fd = Memfd.create("test", SIZE, false)) {
            for (long size : new long[] {0, 4096, SIZE + 4096}) {
                assertThatThrownBy(() -> Memfd.resize(fd, size))
                        .isInstanceOfSatisfying(
                                PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPERM));
            }
        }
    }

    @Test
    void cannotBeSealedByWhoGetsIt() throws Exception {
        try (Fd fd = Memfd.create("test", SIZE, false)) {
            assertThatThrownBy(() -> Memfd.sealFutureWrites(fd))
                    .isInstanceOfSatisfying(
                            PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPERM));
        }
    }

    @Test
    void startsAsZeroesAndIsShared() throws Exception {
        try (Fd fd = Memfd.create("test", SIZE, false);
                Arena arena = Arena.ofShared()) {
            MemorySegment one = MemoryMap.map(fd, SIZE, false, arena);
            MemorySegment other = MemoryMap.map(fd, SIZE, false, arena);

            assertThat(one.get(JAVA_LONG, 4096)).isZero();
            one.set(JAVA_LONG, 4096, 7);
            assertThat(other.get(JAVA_LONG, 4096)).isEqualTo(7);
        }
    }

    @Test
    void ownerWritesAfterTheSealAndOthersCannot() throws Exception {
        try (Fd fd = Memfd.create("test", SIZE, true);
                Arena arena = Arena.ofShared()) {
            MemorySegment owners = MemoryMap.map(fd, SIZE, false, arena);

            Memfd.sealFutureWrites(fd);

            owners.set(JAVA_LONG, 0, 42);
            assertThat(MemoryMap.map(fd, SIZE, true, arena).get(JAVA_LONG, 0)).isEqualTo(42);
            assertThatThrownBy(() -> MemoryMap.map(fd, SIZE, false, arena))
                    .isInstanceOfSatisfying(
                            PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPERM));
        }
    }
}
