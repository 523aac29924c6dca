package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.verbs.ip.PacketPieces;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TcpJoinerTest {
    private static final int SEGMENT = 1000;
    private static final int STRIDE = 2048;

    private final TcpJoiner joiner = new TcpJoiner();
    private final MemorySegment memory = Arena.ofAuto().allocate(100 * STRIDE);
    private final List<Integer> lengths = new ArrayList<>();

    /** Segments of a packet, one each 2048 bytes. */
    private void receive(int version, int payloadBytes, int flags) {
        receive(version, payloadBytes, flags, SEGMENT);
    }

    private void receive(int version, int payloadBytes, int flags, int segmentBytes) {
        MemorySegment packet = TcpPackets.bare(version, payloadBytes, 0);
        TcpPacket.setFlags(packet, TcpPackets.ipHeader(version), flags);
        PacketOffload left = new PacketOffload()
                .lackChecksum(TcpPackets.ipHeader(version), 16)
                .hold(TcpPackets.headers(version), segmentBytes);
        TcpSegmenter segmenter = new TcpSegmenter();
        assertThat(segmenter.begin(packet, 0, left, STRIDE)).isTrue();
        lengths.clear();
        while (segmenter.hasNext()) {
            lengths.add(segmenter.next(memory, (long) lengths.size() * STRIDE));
        }
    }

    private boolean begin(int number) {
        return joiner.begin(memory, (long) number * STRIDE, lengths.get(number));
    }

    private boolean join(int number) {
        return joiner.join(memory, (long) number * STRIDE, lengths.get(number));
    }

    /** All pieces in one. */
    private static MemorySegment whole(PacketPieces pieces) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < pieces.count(); i++) {
            bytes.writeBytes(pieces.memory()
                    .asSlice(pieces.offset(i), pieces.lengthBytes(i))
                    .toArray(ValueLayout.JAVA_BYTE));
        }
        return MemorySegment.ofArray(bytes.toByteArray());
    }

    @ParameterizedTest
    @CsvSource({"4, 2000", "4, 2001", "4, 60000", "6, 2000", "6, 59999"})
    void segmentsOfAPacketAreThatPacket(int version, int payloadBytes) {
        receive(version, payloadBytes, TcpPacket.ACK | TcpPacket.PSH);
        MemorySegment packet = TcpPackets.bare(version, payloadBytes, 0);
        int headers = TcpPackets.headers(version);
        int ip = TcpPackets.ipHeader(version);

        assertThat(begin(0)).isTrue();
        for (int i = 1; i < lengths.size(); i++) {
            assertThat(join(i)).isTrue();
        }
        assertThat(joiner.isJoined()).isTrue();
        MemorySegment joined = whole(joiner.end());

        assertThat(joiner.holds()).isFalse();
        assertThat(joined.byteSize()).isEqualTo(headers + payloadBytes);
        assertThat(IpPacket.totalBytes(joined, 0)).isEqualTo(headers + payloadBytes);
        assertThat(joined.asSlice(headers).mismatch(packet.asSlice(headers))).isEqualTo(-1);
        assertThat(TcpPacket.flags(joined, ip)).isEqualTo(TcpPacket.ACK | TcpPacket.PSH);
        assertThat(joiner.offload().segmentBytes()).isEqualTo(SEGMENT);
        assertThat(joiner.offload().headerBytes()).isEqualTo(headers);
        assertThat(InternetChecksum.complete(
                        joined,
                        0,
                        joined.byteSize(),
                        joiner.offload().checksumStart(),
                        joiner.offload().checksumField()))
                .isTrue();
        assertThat(TcpPackets.isRight(joined, 0)).isTrue();
    }

    @Test
    void aPacketAloneStaysAsItIs() {
        receive(4, SEGMENT, TcpPacket.ACK);
        byte[] before = memory.asSlice(0, lengths.get(0)).toArray(ValueLayout.JAVA_BYTE);

        assertThat(begin(0)).isTrue();
        assertThat(joiner.isJoined()).isFalse();
        PacketPieces pieces = joiner.end();

        assertThat(whole(pieces).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        assertThat(joiner.offload().lacksChecksum()).isFalse();
        assertThat(joiner.offload().holdsSegments()).isFalse();
    }

    @Test
    void aShorterSegmentIsTheLast() {
        receive(4, 2500, TcpPacket.ACK);

        assertThat(begin(0)).isTrue();
        assertThat(join(1)).isTrue();
        assertThat(join(2)).isTrue();
        // The segment behind it, as long as the first.
        MemorySegment.copy(memory, 0, memory, 3 * STRIDE, lengths.get(0));
        TcpPacket.setSequence(memory, 3 * STRIDE + 20, TcpPackets.SEQUENCE + 2500);
        lengths.add(lengths.get(0));
        complete(3 * STRIDE);

        assertThat(join(3)).isFalse();
        assertThat(joiner.end().count()).isEqualTo(3);
    }

    /** Makes the checksums right after a change. */
    private void complete(long packet) {
        TcpPacket.setTotalBytes(memory, packet, 20, IpPacket.totalBytes(memory, packet));
        completeTcp(4, packet);
    }

    @Test
    void anEndOfDataIsTheLast() {
        receive(4, 3000, TcpPacket.ACK);
        TcpPacket.setFlags(memory, STRIDE + 20, TcpPacket.ACK | TcpPacket.PSH);
        complete(STRIDE);

        assertThat(begin(0)).isTrue();
        assertThat(join(1)).isTrue();
        assertThat(join(2)).isFalse();
    }

    /** Bytes of the second segment that must be as in the first, with checksums that are right nevertheless. */
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 8, 12, 16, 20, 22, 24, 28, 33, 34, 44, 48})
    void whatDiffersIsNotJoined(int at) {
        receive(4, 2000, TcpPacket.ACK);
        memory.set(ValueLayout.JAVA_BYTE, STRIDE + at, (byte) (memory.get(ValueLayout.JAVA_BYTE, STRIDE + at) ^ 0x20));
        complete(STRIDE);
        assertThat(TcpPackets.isRight(memory, STRIDE)).isTrue();

        assertThat(begin(0)).isTrue();
        assertThat(join(1)).isFalse();
        assertThat(whole(joiner.end()).byteSize()).isEqualTo((long) lengths.get(0));
    }

    /** Of the header of IP, of that of TCP, and of the payload; the network stack is to drop it, and count it. */
    @ParameterizedTest
    @CsvSource({"0, 11", "1, 11", "0, 37", "1, 37", "0, 500", "1, 500", "1, 1051"})
    void aWrongChecksumIsNotJoined(int segment, int at) {
        receive(4, 2000, TcpPacket.ACK);
        long changed = (long) segment * STRIDE + at;
        memory.set(ValueLayout.JAVA_BYTE, changed, (byte) (memory.get(ValueLayout.JAVA_BYTE, changed) + 1));
        byte[] before = memory.asSlice(0, lengths.get(0)).toArray(ValueLayout.JAVA_BYTE);

        assertThat(begin(0)).isTrue();
        assertThat(join(1)).isFalse();
        assertThat(whole(joiner.end()).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
    }

    @Test
    void aGapIsNotJoined() {
        receive(6, 3000, TcpPacket.ACK);

        assertThat(begin(0)).isTrue();
        assertThat(join(2)).isFalse();
        assertThat(join(0)).isFalse();
        assertThat(join(1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x02, 0x11, 0x14, 0x18, 0x30, 0x50, 0x90})
    void onlyDataThatGoesOnBegins(int flags) {
        receive(4, 2000, TcpPacket.ACK);
        TcpPacket.setFlags(memory, 20, flags);

        assertThat(begin(0)).isFalse();
        assertThat(joiner.holds()).isFalse();
    }

    @Test
    void fragmentsOptionsAndOtherProtocolsDoNotBegin() {
        receive(4, 2000, TcpPacket.ACK);
        PacketBytes.putShort(memory, 6, 0x2000);
        assertThat(begin(0)).isFalse();
        PacketBytes.putShort(memory, 6, 1);
        assertThat(begin(0)).isFalse();
        PacketBytes.putShort(memory, 6, 0x4000);
        PacketBytes.putByte(memory, 9, 17);
        assertThat(begin(0)).isFalse();
        PacketBytes.putByte(memory, 9, 6);
        PacketBytes.putByte(memory, 0, 0x46);
        assertThat(begin(0)).isFalse();
        PacketBytes.putByte(memory, 0, 0x45);
        assertThat(begin(0)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"4, 1000, 64", "4, 1900, 34", "6, 1900, 34", "4, 1310, 49"})
    void isAsLongAsPiecesAndIpAllow(int version, int segmentBytes, int most) {
        receive(version, 65_400, TcpPacket.ACK, segmentBytes);
        // More that goes on, though no packet of the sender's could have had it.
        int last = lengths.size() - 1;
        long ended = (long) last * STRIDE;
        int full = TcpPackets.headers(version) + segmentBytes;
        TcpPacket.setTotalBytes(memory, ended, TcpPackets.ipHeader(version), full);
        lengths.set(last, full);
        completeTcp(version, ended);

        assertThat(begin(0)).isTrue();
        int joined = 1;
        while (joined < lengths.size() && join(joined)) {
            joined++;
        }

        assertThat(joined).isEqualTo(most);
        PacketPieces pieces = joiner.end();
        assertThat(pieces.count()).isEqualTo(most);
        assertThat(whole(pieces).byteSize()).isLessThanOrEqualTo(65_535);
    }

    private void completeTcp(int version, long packet) {
        int ip = TcpPackets.ipHeader(version);
        int bytes = IpPacket.totalBytes(memory, packet) - ip;
        TcpPacket.setChecksum(memory, packet + ip, 0);
        int start = TcpPacket.pseudoHeader(memory, packet, bytes);
        TcpPacket.setChecksum(memory, packet + ip, InternetChecksum.of(memory, packet + ip, bytes, start));
    }

    /** Bytes of the packet, words of the header of TCP. */
    @ParameterizedTest
    @CsvSource({"39, 5", "60, 4", "60, 11", "60, 10"})
    void aHeaderThatIsNotThereDoesNotBegin(int bytes, int words) {
        receive(4, 2000, TcpPacket.ACK);
        TcpPacket.setTotalBytes(memory, 0, 20, bytes);
        PacketBytes.putByte(memory, 32, words << 4);

        assertThat(begin(0)).isFalse();
        assertThat(joiner.begin(memory, 0, 10)).isFalse();
    }

    @Test
    void aWrongChecksumOfIpv6IsNotJoined() {
        receive(6, 2000, TcpPacket.ACK);
        memory.set(ValueLayout.JAVA_BYTE, STRIDE + 200, (byte) (memory.get(ValueLayout.JAVA_BYTE, STRIDE + 200) + 1));

        assertThat(begin(0)).isTrue();
        assertThat(join(1)).isFalse();
    }

    @Test
    void anyBytesAreJoinedOrNot() {
        Random random = new Random(12);
        int joined = 0;
        for (int i = 0; i < 100_000; i++) {
            receiveTwo(random);
            if (begin(0) && join(1)) {
                joined++;
            }
            if (joiner.holds()) {
                assertThat(whole(joiner.end()).byteSize()).isGreaterThanOrEqualTo(lengths.get(0) - 1040);
            }
        }
        assertThat(joined).isGreaterThan(1000);
    }

    private void receiveTwo(Random random) {
        receive(4 + 2 * random.nextInt(2), 2000, TcpPacket.ACK);
        for (int changed = random.nextInt(3); changed > 0; changed--) {
            long at = (long) random.nextInt(2) * STRIDE + random.nextInt(72);
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
        }
        lengths.set(1, random.nextBoolean() ? lengths.get(1) : random.nextInt(STRIDE));
    }
}
