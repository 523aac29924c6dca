package io.hyperverbs.upper.ipoib.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.ip.PacketOffload;
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

class TcpSegmenterTest {
    private static final int BEFORE = 3;
    private static final int SEGMENT = 1000;
    private static final int MOST = 2044;

    private final TcpSegmenter segmenter = new TcpSegmenter();
    private final MemorySegment room = Arena.ofAuto().allocate(MOST + 8);

    private static PacketOffload left(int version) {
        return new PacketOffload()
                .lackChecksum(TcpPackets.ipHeader(version), 16)
                .hold(TcpPackets.headers(version), SEGMENT);
    }

    /** Each at byte 7 of a memory of its own. */
    private List<MemorySegment> cut(MemorySegment packet, int version) {
        assertThat(segmenter.begin(packet, BEFORE, left(version), MOST)).isTrue();
        List<MemorySegment> segments = new ArrayList<>();
        while (segmenter.hasNext()) {
            int bytes = segmenter.next(room, 7);
            MemorySegment copy = Arena.ofAuto().allocate(bytes);
            segments.add(copy.copyFrom(room.asSlice(7, bytes)));
        }
        return segments;
    }

    @ParameterizedTest
    @CsvSource({"4, 1", "4, 999", "4, 1000", "4, 1001", "4, 65483", "6, 1", "6, 1000", "6, 2500", "6, 65463"})
    void segmentsHaveThePayloadInOrderWithHeadersOfTheirOwn(int version, int payloadBytes) {
        MemorySegment packet = TcpPackets.bare(version, payloadBytes, BEFORE);
        int headers = TcpPackets.headers(version);
        int ip = TcpPackets.ipHeader(version);

        List<MemorySegment> segments = cut(packet, version);

        assertThat(segments).hasSize(Math.ceilDiv(payloadBytes, SEGMENT));
        for (int i = 0; i < segments.size(); i++) {
            MemorySegment segment = segments.get(i);
            int bytes = Math.min(SEGMENT, payloadBytes - i * SEGMENT);
            assertThat(IpPacket.isWellFormed(segment, 0, segment.byteSize())).isTrue();
            assertThat(IpPacket.totalBytes(segment, 0)).isEqualTo(headers + bytes);
            assertThat(TcpPackets.isRight(segment, 0)).isTrue();
            assertThat(TcpPacket.sequence(segment, ip)).isEqualTo(TcpPackets.SEQUENCE + i * SEGMENT);
            assertThat(segment.asSlice(headers).mismatch(packet.asSlice(BEFORE + headers + (long) i * SEGMENT, bytes)))
                    .isEqualTo(-1);
            // Ports, acknowledged number, window and options are the packet's.
            assertThat(segment.asSlice(ip + 20, 12).mismatch(packet.asSlice(BEFORE + ip + 20, 12)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void eachIpv4SegmentHasAnIdOfItsOwn() {
        List<MemorySegment> segments = cut(TcpPackets.bare(4, 2500, BEFORE), 4);

        assertThat(segments)
                .extracting(segment -> PacketBytes.getShort(segment, 4))
                .containsExactly(0xfffe, 0xffff, 0);
    }

    @Test
    void theEndIsMarkedInTheLastAndCongestionInTheFirst() {
        MemorySegment packet = TcpPackets.bare(4, 2500, BEFORE);
        TcpPacket.setFlags(packet, BEFORE + 20, 0x99);

        assertThat(cut(packet, 4))
                .extracting(segment -> TcpPacket.flags(segment, 20))
                .containsExactly(0x90, 0x10, 0x19);
    }

    @ParameterizedTest
    @ValueSource(ints = {19, 53, 60, 65_535})
    void refusesAHeaderOfTcpThatIsNotThere(int start) {
        MemorySegment packet = TcpPackets.bare(4, 20, BEFORE);
        PacketOffload left = new PacketOffload().lackChecksum(start, 16).hold(TcpPackets.IPV4_HEADERS, SEGMENT);

        assertThat(segmenter.begin(packet, BEFORE, left, MOST)).isFalse();
        assertThat(segmenter.hasNext()).isFalse();
    }

    @Test
    void refusesWhatItCannotCut() {
        MemorySegment packet = TcpPackets.bare(4, 2500, BEFORE);
        PacketOffload noChecksum = new PacketOffload().hold(TcpPackets.IPV4_HEADERS, SEGMENT);
        PacketOffload noSegments = new PacketOffload().lackChecksum(20, 16);
        PacketOffload tooLong = new PacketOffload().lackChecksum(20, 16).hold(52, MOST - 51);

        assertThat(segmenter.begin(packet, BEFORE, noChecksum, MOST)).isFalse();
        assertThat(segmenter.begin(packet, BEFORE, noSegments, MOST)).isFalse();
        assertThat(segmenter.begin(packet, BEFORE, tooLong, MOST)).isFalse();
        assertThat(segmenter.begin(TcpPackets.bare(4, 0, BEFORE), BEFORE, left(4), MOST))
                .isFalse();
        assertThat(segmenter.hasNext()).isFalse();
    }

    @Test
    void anyBytesAreCutOrRefused() {
        Random random = new Random(11);
        MemorySegment memory = Arena.ofAuto().allocate(4096);
        MemorySegment to = Arena.ofAuto().allocate(MOST);
        int cut = 0;
        for (int i = 0; i < 200_000; i++) {
            MemorySegment packet = TcpPackets.bare(4 + 2 * random.nextInt(2), 1500, 0);
            MemorySegment _ = memory.copyFrom(packet);
            for (int changed = random.nextInt(4); changed >= 0; changed--) {
                memory.set(ValueLayout.JAVA_BYTE, random.nextInt(60), (byte) random.nextInt());
            }
            PacketOffload left = new PacketOffload()
                    .lackChecksum(random.nextBoolean() ? 20 : random.nextInt(64), 16)
                    .hold(random.nextInt(80), random.nextInt(3000));
            if (IpPacket.isWellFormed(memory, 0, packet.byteSize()) && segmenter.begin(memory, 0, left, MOST)) {
                cut++;
                while (segmenter.hasNext()) {
                    assertThat(segmenter.next(to, 0)).isLessThanOrEqualTo(MOST);
                }
            }
        }
        assertThat(cut).isGreaterThan(1000);
    }
}
