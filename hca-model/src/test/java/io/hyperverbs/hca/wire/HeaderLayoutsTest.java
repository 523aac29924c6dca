package io.hyperverbs.hca.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Headers byte by byte, at an odd offset, with every bit around them left alone. */
class HeaderLayoutsTest {
    private static final long AT = 5;

    private final MemorySegment packet = Arena.ofAuto().allocate(64);

    @BeforeEach
    void fill() {
        packet.fill((byte) 0xee);
    }

    private void assertBytes(String expected) {
        String all = HexFormat.of().formatHex(packet.toArray(ValueLayout.JAVA_BYTE));
        int around = 64 - (int) AT - expected.length() / 2;
        assertThat(all).isEqualTo("ee".repeat((int) AT) + expected + "ee".repeat(around));
    }

    @Test
    void bthWithEveryFlag() {
        BthLayout.write(packet, AT, 0xa5, BthLayout.KNOWN_FLAGS, 2, 0x8123, 0xfe4567, 0x89abcd);

        assertBytes("a5e08123" + "c0fe4567" + "8089abcd");
        assertThat(BthLayout.opcode(packet, AT)).isEqualTo(0xa5);
        assertThat(BthLayout.isSolicited(packet, AT)).isTrue();
        assertThat(BthLayout.isMigrationRequest(packet, AT)).isTrue();
        assertThat(BthLayout.padCount(packet, AT)).isEqualTo(2);
        assertThat(BthLayout.version(packet, AT)).isZero();
        assertThat(BthLayout.pkey(packet, AT)).isEqualTo(0x8123);
        assertThat(BthLayout.isForwardCongestion(packet, AT)).isTrue();
        assertThat(BthLayout.isBackwardCongestion(packet, AT)).isTrue();
        assertThat(BthLayout.destinationQpn(packet, AT)).isEqualTo(0xfe4567);
        assertThat(BthLayout.isAckRequest(packet, AT)).isTrue();
        assertThat(BthLayout.psn(packet, AT)).isEqualTo(0x89abcd);
    }

    @Test
    void bthFlagsOneByOne() {
        assertThat(bthWith(BthLayout.SOLICITED)).isEqualTo("0480ffff0000000100000002");
        assertThat(bthWith(BthLayout.MIGRATION_REQUEST)).isEqualTo("0440ffff0000000100000002");
        assertThat(bthWith(BthLayout.FORWARD_CONGESTION)).isEqualTo("0400ffff8000000100000002");
        assertThat(bthWith(BthLayout.BACKWARD_CONGESTION)).isEqualTo("0400ffff4000000100000002");
        assertThat(bthWith(BthLayout.ACK_REQUEST)).isEqualTo("0400ffff0000000180000002");
        assertThat(bthWith(~BthLayout.KNOWN_FLAGS)).isEqualTo("0400ffff0000000100000002");
    }

    private String bthWith(int flags) {
        BthLayout.write(packet, AT, 4, flags, 0, BthLayout.DEFAULT_PKEY, 1, 2);
        boolean[] read = {
            BthLayout.isSolicited(packet, AT),
            BthLayout.isMigrationRequest(packet, AT),
            BthLayout.isForwardCongestion(packet, AT),
            BthLayout.isBackwardCongestion(packet, AT),
            BthLayout.isAckRequest(packet, AT)
        };
        int[] bits = {
            BthLayout.SOLICITED,
            BthLayout.MIGRATION_REQUEST,
            BthLayout.FORWARD_CONGESTION,
            BthLayout.BACKWARD_CONGESTION,
            BthLayout.ACK_REQUEST
        };
        for (int i = 0; i < bits.length; i++) {
            assertThat(read[i]).as("flag %x of %x", bits[i], flags).isEqualTo((flags & bits[i]) != 0);
        }
        return HexFormat.of().formatHex(packet.asSlice(AT, BthLayout.SIZE_BYTES).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void bthFieldsStayInTheirBits() {
        BthLayout.write(packet, AT, 0x17f, 0, 7, 0x1ffff, -1, -1);

        assertBytes("7f30ffff" + "00ffffff" + "00ffffff");
    }

    @Test
    void bthOfForeignVersion() {
        packet.set(ValueLayout.JAVA_BYTE, AT + 1, (byte) 0xff);

        assertThat(BthLayout.version(packet, AT)).isEqualTo(15);
        assertThat(BthLayout.padCount(packet, AT)).isEqualTo(3);
    }

    @Test
    void reth() {
        RethLayout.write(packet, AT, 0x8122334455667788L, 0xa1a2a3a4, 0xf1f2f3f4L);

        assertBytes("8122334455667788" + "a1a2a3a4" + "f1f2f3f4");
        assertThat(RethLayout.remoteAddress(packet, AT)).isEqualTo(0x8122334455667788L);
        assertThat(RethLayout.rkey(packet, AT)).isEqualTo(0xa1a2a3a4);
        assertThat(RethLayout.lengthBytes(packet, AT)).isEqualTo(0xf1f2f3f4L);
    }

    @Test
    void atomicEth() {
        AtomicEthLayout.write(packet, AT, 0x8122334455667788L, 0xa1a2a3a4, 0xb1b2b3b4b5b6b7b8L, 0xc1c2c3c4c5c6c7c8L);

        assertBytes("8122334455667788" + "a1a2a3a4" + "b1b2b3b4b5b6b7b8" + "c1c2c3c4c5c6c7c8");
        assertThat(AtomicEthLayout.remoteAddress(packet, AT)).isEqualTo(0x8122334455667788L);
        assertThat(AtomicEthLayout.rkey(packet, AT)).isEqualTo(0xa1a2a3a4);
        assertThat(AtomicEthLayout.swapOrAdd(packet, AT)).isEqualTo(0xb1b2b3b4b5b6b7b8L);
        assertThat(AtomicEthLayout.compare(packet, AT)).isEqualTo(0xc1c2c3c4c5c6c7c8L);
    }

    @Test
    void aeth() {
        AethLayout.write(packet, AT, 0x1e3, 0xff89abcd);

        assertBytes("e3" + "89abcd");
        assertThat(AethLayout.syndrome(packet, AT)).isEqualTo(0xe3);
        assertThat(AethLayout.msn(packet, AT)).isEqualTo(0x89abcd);
    }

    @Test
    void atomicAckEth() {
        AtomicAckEthLayout.write(packet, AT, 0x8122334455667788L);

        assertBytes("8122334455667788");
        assertThat(AtomicAckEthLayout.original(packet, AT)).isEqualTo(0x8122334455667788L);
    }

    @Test
    void deth() {
        DethLayout.write(packet, AT, 0x81020304, 0xffabcdef);

        assertBytes("81020304" + "00abcdef");
        assertThat(DethLayout.qkey(packet, AT)).isEqualTo(0x81020304);
        assertThat(DethLayout.sourceQpn(packet, AT)).isEqualTo(0xabcdef);
    }

    @Test
    void immDt() {
        ImmDtLayout.write(packet, AT, 0x81020304);

        assertBytes("81020304");
        assertThat(ImmDtLayout.immediate(packet, AT)).isEqualTo(0x81020304);
    }

    @Test
    void ieth() {
        IethLayout.write(packet, AT, 0x81020304);

        assertBytes("81020304");
        assertThat(IethLayout.rkey(packet, AT)).isEqualTo(0x81020304);
    }

    @Test
    void xrcEth() {
        XrcEthLayout.write(packet, AT, 0xffabcdef);

        assertBytes("00abcdef");
        assertThat(XrcEthLayout.srqn(packet, AT)).isEqualTo(0xabcdef);
    }

    @Test
    void congestionNotification() {
        CnpLayout.write(packet, AT, BthLayout.DEFAULT_PKEY, 0x118);

        assertBytes("8100ffff" + "40000118" + "00000000" + "00".repeat(16));
    }
}
