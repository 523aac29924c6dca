package io.hyperverbs.frontend.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.frontend.MadeMachine;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuestRamTest {
    private static final long FRAME = FrameRun.FRAME_BYTES;

    private MadeMachine machine;
    private MappedExtent first;
    private MappedExtent second;
    private GuestRam ram;

    @BeforeEach
    void setUp() {
        machine = new MadeMachine(200);
        machine.take(7);
        first = machine.extent(FrameKind.RAM, 64);
        machine.take(3);
        second = machine.extent(FrameKind.RAM, 32);
        ram = new GuestRam(List.of(first, second));
    }

    @Test
    void namesMachineFramesOfBuffer() throws VerbsException {
        MemorySegment one = ram.allocate(3 * FRAME, 64);
        MemorySegment two = ram.allocate(2 * FRAME, 64);

        assertThat(ram.frames(one)).containsExactly(new FrameRun(7, 3));
        assertThat(ram.frames(two.asSlice(FRAME - 1, 2))).containsExactly(new FrameRun(10, 2));
    }

    /** Rings end with their queues, which the HCA may still look at; and a region that is left keeps its memory. */
    @Test
    void ofAnEndedProgramBuffersAreFreedButNoRingsAndNothingThatIsRegistered() throws VerbsException {
        ThreadGroup own = Thread.currentThread().getThreadGroup();
        long before = ram.freeBytes();
        MemorySegment registered = ram.allocate(3 * FRAME, 64);
        GuestRam.Hold hold = ram.hold(registered);
        MemorySegment _ = ram.allocate(4 * FRAME, 64);
        MemorySegment ring = ram.allocateFrames(FRAME);

        ram.freeOf(new ThreadGroup("another"));
        assertThat(before - ram.freeBytes()).isEqualTo(8 * FRAME);
        ram.freeOf(own);
        assertThat(before - ram.freeBytes()).isEqualTo(4 * FRAME);

        hold.close();
        ram.freeOf(own);
        ram.free(ring);
        assertThat(ram.freeBytes()).isEqualTo(before);
    }

    @Test
    void physicalAddressesGoThroughTheExtentsInTheirOrder() throws VerbsException {
        MemorySegment all = first.memory();
        MemorySegment more = second.memory();

        assertThat(ram.physicalAddress(all)).isZero();
        assertThat(ram.physicalAddress(all.asSlice(64 * FRAME - 1, 1))).isEqualTo(64 * FRAME - 1);
        assertThat(ram.physicalAddress(more)).isEqualTo(64 * FRAME);
        assertThat(ram.physicalAddress(more.asSlice(77, 5))).isEqualTo(64 * FRAME + 77);
        assertThatThrownBy(() -> ram.physicalAddress(machine.memory().asSlice(0, 8)))
                .isInstanceOf(VerbsException.class)
                .hasMessageStartingWith("EFAULT");
        assertThatThrownBy(() -> ram.physicalAddress(MemorySegment.ofArray(new byte[8])))
                .isInstanceOf(VerbsException.class)
                .hasMessageStartingWith("EFAULT");
    }

    @Test
    void refusesFramesOfForeignMemory() {
        assertThatThrownBy(() -> ram.frames(machine.memory().asSlice(0, 8)))
                .isInstanceOf(VerbsException.class)
                .hasMessageStartingWith("EFAULT");
        assertThatThrownBy(() -> ram.frames(MemorySegment.ofArray(new byte[8])))
                .isInstanceOf(VerbsException.class)
                .hasMessageStartingWith("EFAULT");
    }

    @Test
    void refusesFramesOfBufferThatLeavesItsExtent() {
        long start = first.firstMachineFrame() * FRAME;

        assertThatThrownBy(() -> ram.frames(machine.memory().asSlice(start, 64 * FRAME + 1)))
                .hasMessageStartingWith("EFAULT");
        assertThatThrownBy(() -> ram.frames(first.memory().asSlice(5, 0))).hasMessageStartingWith("EINVAL");
    }

    @Test
    void zeroesBufferThatWasUsedBefore() throws VerbsException {
        MemorySegment used = ram.allocate(100, 64);
        used.fill((byte) 0x55);
        long address = used.address();
        ram.free(used);

        MemorySegment again = ram.allocate(100, 64);

        assertThat(again.address()).isEqualTo(address);
        assertThat(again.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void rejectsDoubleFreeForeignAndSlice() throws VerbsException {
        MemorySegment buffer = ram.allocate(5000, 64);

        assertThatThrownBy(() -> ram.free(buffer.asSlice(64))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ram.free(buffer.asSlice(0, 4096))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ram.free(MemorySegment.ofArray(new byte[5000])))
                .isInstanceOf(IllegalArgumentException.class);
        ram.free(buffer);
        assertThatThrownBy(() -> ram.free(buffer)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0,64", "-1,64", "8,0", "8,3", "8,8192", "8,-9223372036854775808"})
    void refusesBadArguments(long length, long alignment) {
        assertThatThrownBy(() -> ram.allocate(length, alignment))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL));
    }

    @ParameterizedTest
    @ValueSource(longs = {64 * 4096L + 1, Long.MAX_VALUE, Long.MAX_VALUE - 4095})
    void saysNoMemoryWhenNoExtentIsLargeEnough(long length) {
        assertThatThrownBy(() -> ram.allocate(length, 64)).hasMessageStartingWith("ENOMEM");
        assertThatThrownBy(() -> ram.allocateFrames(length)).hasMessageStartingWith("ENOMEM");
    }

    @Test
    void ringsGetWholeFrames() throws VerbsException {
        MemorySegment small = ram.allocate(64, 64);

        MemorySegment ring = ram.allocateFrames(100);

        assertThat(ring.byteSize()).isEqualTo(FRAME);
        assertThat(ring.address() % FRAME).isZero();
        assertThat(ring.address() / FRAME).isNotEqualTo(small.address() / FRAME);
    }

    /** Random allocations and frees; live buffers keep their bytes, and all frames come back. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void keepsBuffersApartOnRandomWalk(long seed) throws VerbsException {
        Random random = new Random(seed);
        List<MemorySegment> live = new ArrayList<>();
        List<Byte> marks = new ArrayList<>();
        for (int step = 0; step < 4000; step++) {
            if (live.isEmpty() || random.nextInt(100) < 52) {
                long length = 1 + random.nextLong(random.nextBoolean() ? 300 : 20_000);
                long alignment = 1L << random.nextInt(13);
                MemorySegment buffer;
                try {
                    buffer = ram.allocate(length, alignment);
                } catch (VerbsException full) {
                    assertThat(full.status()).isEqualTo(VerbsStatus.ENOMEM);
                    continue;
                }
                byte mark = (byte) (1 + random.nextInt(100));
                assertThat(buffer.byteSize()).isEqualTo(length);
                assertThat(buffer.address() % alignment).as("seed %d", seed).isZero();
                assertThat(isAll(buffer, (byte) 0)).as("zeroed, seed %d", seed).isTrue();
                buffer.fill(mark);
                live.add(buffer);
                marks.add(mark);
            } else {
                int victim = random.nextInt(live.size());
                MemorySegment buffer = live.remove(victim);
                assertThat(isAll(buffer, marks.remove(victim)))
                        .as("seed %d", seed)
                        .isTrue();
                ram.free(buffer);
            }
        }
        for (MemorySegment buffer : live) {
            ram.free(buffer);
        }
        assertThat(ram.freeBytes()).as("seed %d", seed).isEqualTo(ram.capacityBytes());
        assertThat(ram.allocate(64 * FRAME, FRAME).byteSize()).isEqualTo(64 * FRAME);
        assertThat(ram.allocate(32 * FRAME, FRAME).byteSize()).isEqualTo(32 * FRAME);
    }

    private static boolean isAll(MemorySegment buffer, byte value) {
        for (long i = 0; i < buffer.byteSize(); i++) {
            if (buffer.get(ValueLayout.JAVA_BYTE, i) != value) {
                return false;
            }
        }
        return true;
    }
}
