package io.hyperverbs.frontend.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.vmm.posix.PacketVector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffloadHeaderTest {
    private final MemorySegment header = MemorySegment.ofArray(new byte[PacketVector.HEADER_BYTES]);
    private final PacketOffload offload = new PacketOffload();

    private static String numbers(int... values) {
        MemorySegment memory = MemorySegment.ofArray(new byte[2 * values.length]);
        for (int i = 0; i < values.length; i++) {
            memory.set(ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.nativeOrder()), 2L * i, (short) values[i]);
        }
        return hex(memory);
    }

    private static String hex(MemorySegment memory) {
        return HexFormat.of().formatHex(memory.toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @CsvSource({"4, 01", "6, 04"})
    void segmentsHaveTheTypeOfTheirVersion(int version, String type) {
        OffloadHeader.write(header, offload.lackChecksum(20, 16).hold(52, 40_000), version);

        assertThat(hex(header)).isEqualTo("01" + type + numbers(52, 40_000, 20, 16));

        PacketOffload read = new PacketOffload();
        OffloadHeader.read(header, read);
        assertThat(read).usingRecursiveComparison().isEqualTo(offload);
    }

    @Test
    void nothingIsNothingWhateverWasThereBefore() {
        OffloadHeader.write(header, offload.lackChecksum(20, 16).hold(52, 1000), 4);

        OffloadHeader.write(header, offload.clear(), 4);
        assertThat(hex(header)).isEqualTo("00".repeat(PacketVector.HEADER_BYTES));

        PacketOffload read = new PacketOffload().lackChecksum(1, 2).hold(3, 4);
        OffloadHeader.read(header, read);
        assertThat(read).usingRecursiveComparison().isEqualTo(new PacketOffload());
    }

    /** Of UDP, and of TCP with marks of congestion: nobody has asked for those. */
    @ParameterizedTest
    @CsvSource({"3", "5", "0x81"})
    void otherSegmentsAreNone(int type) {
        OffloadHeader.write(header, offload.lackChecksum(20, 16).hold(52, 1000), 4);
        header.set(ValueLayout.JAVA_BYTE, 1, (byte) type);

        PacketOffload read = new PacketOffload();
        OffloadHeader.read(header, read);

        assertThat(read.holdsSegments()).isFalse();
        assertThat(read.lacksChecksum()).isTrue();
    }
}
