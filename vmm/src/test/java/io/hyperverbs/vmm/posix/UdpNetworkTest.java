package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.bytes;
import static io.hyperverbs.vmm.posix.UdpTestPort.pattern;
import static io.hyperverbs.vmm.posix.VethPair.LEFT;
import static io.hyperverbs.vmm.posix.VethPair.RIGHT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.posix.PacketCapture.Packet;
import io.hyperverbs.vmm.posix.UdpTestPort.Received;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Over an Ethernet between two network namespaces. The IP identification is what the ICRC of RoCEv2
 * (IBA annex A17) covers and a UDP socket does not show.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class UdpNetworkTest {
    private static final int GROUP = 0xef77_0301;
    private static final int HEADER_BYTES = 20 + 8;
    private static final int DO_NOT_FRAGMENT = 0x4000;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int ELSEWHERE = 0xc000_0201; // 192.0.2.1

    private static VethPair pair(int mtuBytes) throws Exception {
        assumeTrue(VethPair.isPossible(), "only root with iproute2 makes network namespaces");
        return new VethPair(mtuBytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1500, 9000})
    void identificationOfSinglesIsZero(int mtuBytes) throws Exception {
        try (VethPair pair = pair(mtuBytes);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort();
                PacketCapture capture = pair.rightCapture()) {
            int longest = mtuBytes - HEADER_BYTES;
            for (int length : new int[] {0, 64, 64, longest, longest}) {
                a.send(pattern(length), length, b, 2);
            }

            assertThat(capture.take(5))
                    .extracting(Packet::identification, Packet::flags)
                    .containsOnly(tuple(0, DO_NOT_FRAGMENT));
            List<Received> got = b.receive(5);
            assertThat(got.getLast().bytes()).isEqualTo(pattern(longest));
            assertThat(got).allSatisfy(one -> {
                assertThat(one.tos()).isEqualTo(2);
                assertThat(one.source()).isEqualTo(LEFT);
                assertThat(one.destination()).isEqualTo(RIGHT);
            });
        }
    }

    /** A device that takes no batches gets packets from the kernel, as a wire does from a device that takes them. */
    @ParameterizedTest
    @CsvSource({"1500,1044", "1500,1472", "9000,4116", "9000,8972"})
    void identificationOfSegmentsCountsFromZeroInEachBatch(int mtuBytes, int segmentBytes) throws Exception {
        int segments = 6;
        try (VethPair pair = pair(mtuBytes);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort();
                PacketCapture capture = pair.rightCapture()) {
            pair.left("link set left gso_max_segs 1");
            byte[] bytes = pattern(segments * segmentBytes - 1);

            for (int batch = 0; batch < 2; batch++) {
                a.send(bytes, segmentBytes, b, 1);

                List<Packet> packets = capture.take(segments);
                assertThat(packets)
                        .extracting(Packet::identification)
                        .containsExactlyElementsOf(
                                IntStream.range(0, segments).boxed().toList());
                assertThat(packets).extracting(Packet::flags).containsOnly(DO_NOT_FRAGMENT);
                assertThat(packets.getFirst().lengthBytes()).isEqualTo(segmentBytes + HEADER_BYTES);
                assertThat(packets.getLast().lengthBytes()).isEqualTo(segmentBytes - 1 + HEADER_BYTES);
                assertThat(b.receiveBytes(bytes.length)).isEqualTo(bytes);
            }
        }
    }

    /** No packet of a segment is ever made, so there is no identification to see. */
    @ParameterizedTest
    @CsvSource({"1500,1044", "9000,4116"})
    void batchCrossesADeviceThatTakesItAsOnePacket(int mtuBytes, int segmentBytes) throws Exception {
        try (VethPair pair = pair(mtuBytes);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort();
                PacketCapture capture = pair.rightCapture()) {
            byte[] bytes = pattern(5 * segmentBytes);

            a.send(bytes, segmentBytes, b, 0);

            assertThat(capture.take(1)).containsExactly(new Packet(bytes.length + HEADER_BYTES, 0, DO_NOT_FRAGMENT));
            Received got = b.receiveOne();
            assertThat(got.bytes()).isEqualTo(bytes);
            assertThat(got.segmentBytes()).isEqualTo(segmentBytes);
        }
    }

    @ParameterizedTest
    @CsvSource({"1500,1473,1473", "1500,3000,1473", "9000,8973,8973", "9000,20000,8973"})
    void dropsWhatIsLongerThanThePathTakes(int mtuBytes, int lengthBytes, int segmentBytes) throws Exception {
        try (VethPair pair = pair(mtuBytes);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort()) {
            a.queue(pattern(lengthBytes), segmentBytes, b, 0);
            a.queue(pattern(segmentBytes - 1), segmentBytes, b, 0);

            assertThat(a.port().flush()).isOne();

            assertThat(b.receiveOne().bytes()).isEqualTo(pattern(segmentBytes - 1));
            assertThat(a.port().droppedSends()).isOne();
            assertThat(a.port().dropErrno()).isEqualTo(Errno.EMSGSIZE);
            assertThat(a.port().hasSegmentation()).isTrue();
        }
    }

    @Test
    void dropsWhatHasNoRoute() throws Exception {
        try (VethPair pair = pair(1500);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort()) {
            assertDropped(a, b, Errno.ENETUNREACH);
            pair.left("route add unreachable 192.0.2.0/24");
            assertDropped(a, b, Errno.EHOSTUNREACH);
            pair.left("route replace prohibit 192.0.2.0/24");
            assertDropped(a, b, Errno.EACCES);
            pair.left("link set left down");
            a.queue(bytes(1), 1, b, 0);
            assertThat(a.port().flush()).isZero();
            assertThat(a.port().dropErrno()).isEqualTo(Errno.ENETUNREACH);
            pair.left("link set left up");
            a.send(b, 5);
            assertThat(b.receiveOne().bytes()).containsExactly(5);
        }
    }

    private static void assertDropped(UdpTestPort a, UdpTestPort b, int errno) {
        assertThat(a.port().add(0, 1, 1, ELSEWHERE, 4791, 0)).isTrue();
        a.queue(bytes(4), 1, b, 0);
        assertThat(a.port().flush()).isOne();
        assertThat(a.port().dropErrno()).isEqualTo(errno);
        assertThat(b.receiveOne().bytes()).containsExactly(4);
    }

    /** ICMP port unreachable comes back at once, and is heard by nobody. */
    @Test
    void closedPortOfAnotherHostLeavesNoError() throws Exception {
        try (VethPair pair = pair(1500);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort()) {
            for (int i = 0; i < 3; i++) {
                a.queue(bytes(1), 1, RIGHT, 1, 0);
                assertThat(a.port().flush()).isOne();
            }
            a.send(b, 5);

            assertThat(b.receiveOne().bytes()).containsExactly(5);
            assertThat(a.port().receive()).isZero();
            assertThat(a.port().droppedSends() + a.port().receiveErrors()).isZero();
        }
    }

    @Test
    void groupsSpanTheWire() throws Exception {
        try (VethPair pair = pair(1500);
                UdpTestPort a = pair.leftPort();
                UdpTestPort b = pair.rightPort();
                PacketCapture capture = pair.rightCapture()) {
            pair.joinLeft(a.port(), GROUP);
            pair.joinRight(b.port(), GROUP);

            a.queue(bytes(6), 1, GROUP, 4791, 3);
            assertThat(a.port().flush()).isOne();

            assertThat(capture.take(1).getFirst().identification()).isZero();
            for (UdpTestPort member : List.of(a, b)) {
                Received got = member.receiveOne();
                assertThat(got.bytes()).containsExactly(6);
                assertThat(got.source()).isEqualTo(LEFT);
                assertThat(got.destination()).isEqualTo(GROUP);
                assertThat(got.tos()).isEqualTo(3);
            }
        }
    }

    /** A slow device keeps packets, and a small send buffer is soon full. */
    @Test
    void whatTheSocketHasNoRoomForStaysInOrder() throws Exception {
        UdpPort.Settings smallBuffer = new UdpPort.Settings(8, 64 * 1024, 64, 1, 1);
        try (VethPair pair = pair(1500);
                UdpTestPort a = pair.leftPort(smallBuffer);
                UdpTestPort b = pair.rightPort()) {
            pair.leftQueue("qdisc add dev left root tbf rate 20mbit burst 3k limit 10m");
            int messages = 500;
            int added = 0;
            boolean wasFull = false;
            long start = System.nanoTime();
            ByteArrayOutputStream firsts = new ByteArrayOutputStream();
            while (firsts.size() < messages) {
                assertThat(System.nanoTime() - start).isLessThan(MOST_NANOS);
                while (added < messages && a.port().pending() < 64) {
                    // The slots of the send memory are taken in turn, as those of the queue are.
                    a.port().sendMemory().set(JAVA_INT, added % 64 * 1024, added);
                    assertThat(a.port().add(added % 64 * 1024, 1000, 1000, RIGHT, 4791, 0))
                            .isTrue();
                    added++;
                }
                a.port().flush();
                wasFull |= a.port().pending() > 0;
                for (Received got : b.receive()) {
                    firsts.write(got.bytes()[0]);
                }
            }

            byte[] all = firsts.toByteArray();
            for (int i = 0; i < messages; i++) {
                assertThat(all[i]).isEqualTo((byte) i);
            }
            assertThat(wasFull).isTrue();
            assertThat(a.port().droppedSends()).isZero();
        }
    }
}
