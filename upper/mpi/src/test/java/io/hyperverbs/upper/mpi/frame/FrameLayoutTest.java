package io.hyperverbs.upper.mpi.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FrameLayoutTest {
    private final MemorySegment ring = MemorySegment.ofArray(new long[8]);

    private String hex(int from, int to) {
        return HexFormat.of().formatHex(ring.toArray(ValueLayout.JAVA_BYTE), from, to);
    }

    @Test
    void eachFieldHasItsBytes() {
        FrameHeader header = new FrameHeader(FrameType.REQUEST_TO_SEND, 0x11223344, 0x55667788, 0x99aabbcc, 0x1020L, 7);

        FrameLayout.write(ring, 0, header);
        MemorySegment.copy(FrameLayout.addressPayload(0x0102030405060708L), 0, ring, 32, 8);

        assertThat(hex(0, 40))
                .isEqualTo("0100000044332211" + "88776655ccbbaa99" + "2010000000000000" + "0700000000000000"
                        + "0807060504030201");
        assertThat(FrameLayout.read(ring, 0)).isEqualTo(header);
        assertThat(FrameLayout.address(ring, 0)).isEqualTo(0x0102030405060708L);
        assertThat(FrameLayout.ADDRESSED_BYTES).isEqualTo(40);
    }

    @Test
    void aPlaceHasAddressAndLength() {
        MemorySegment place = FrameLayout.placePayload(0x0102030405060708L, 0x1020);
        MemorySegment.copy(place, 0, ring, FrameLayout.HEADER_BYTES, place.byteSize());

        assertThat(hex(32, 48)).isEqualTo("0807060504030201" + "2010000000000000");
        assertThat(FrameLayout.address(ring, 0)).isEqualTo(0x0102030405060708L);
        assertThat(FrameLayout.lengthBytes(ring, 0)).isEqualTo(0x1020);
        assertThat(FrameLayout.PLACED_BYTES).isEqualTo(48);
    }

    @ParameterizedTest
    @EnumSource(FrameType.class)
    void eachKindHasItsNumber(FrameType kind) {
        FrameLayout.write(ring, 0, new FrameHeader(kind, 0, 0, 0, 0, 0));

        assertThat(FrameLayout.read(ring, 0).kind()).isEqualTo(kind);
        assertThat(FrameType.of(kind.number())).isEqualTo(kind);
    }

    @Test
    void aFrameOfNoKindIsRefused() {
        ring.set(ValueLayout.JAVA_BYTE, 0, (byte) 99);

        assertThatThrownBy(() -> FrameLayout.read(ring, 0)).hasMessage("frame of kind 99");
    }

    @Test
    void creditsHaveTheirBytes() {
        CreditLayout.write(ring, 16, 0x0102, 0x0304);

        assertThat(hex(16, 16 + CreditLayout.SIZE_BYTES)).isEqualTo("0201000000000000" + "0403000000000000");
        assertThat(CreditLayout.readPositionAcquire(ring, 16)).isEqualTo(0x0102);
        assertThat(CreditLayout.receivesAcquire(ring, 16)).isEqualTo(0x0304);
    }
}
