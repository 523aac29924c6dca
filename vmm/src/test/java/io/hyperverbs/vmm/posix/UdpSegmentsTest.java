package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.FIRST;
import static io.hyperverbs.vmm.posix.UdpTestPort.SECOND;
import static io.hyperverbs.vmm.posix.UdpTestPort.pattern;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.vmm.posix.UdpTestPort.Received;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches of datagrams of one length: UDP_SEGMENT to UDP_GRO, and to who has neither. */
@Timeout(60)
class UdpSegmentsTest {
    private static final int SYS_SOCKET = 41; // of x86-64
    private static final int ROCE_PACKET = 4096 + 20;

    private UdpTestPort a;
    private UdpTestPort b;

    @BeforeEach
    void open() throws PosixException {
        a = UdpTestPort.at(FIRST);
        b = UdpTestPort.at(SECOND);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    @Test
    void thisKernelHasBoth() {
        assertThat(a.port().hasSegmentation()).isTrue();
        assertThat(a.port().hasCoalescing()).isTrue();
    }

    /** Between two sockets of a computer no packet is made of a segment. */
    @ParameterizedTest
    @CsvSource({"61740,4116", "61739,4116", "61725,4116", "64000,1000", "65000,1016", "64,1", "2,1", "65000,64999"})
    void batchArrivesAsOneMessage(int lengthBytes, int segmentBytes) {
        byte[] bytes = pattern(lengthBytes);

        a.send(bytes, segmentBytes, b, 0x62);

        Received got = b.receiveOne();
        assertThat(got.bytes()).isEqualTo(bytes);
        assertThat(got.segmentBytes()).isEqualTo(segmentBytes);
        assertThat(got.tos()).isEqualTo(0x62);
        assertThat(b.port().receive()).isZero();
    }

    @Test
    void batchesAndSinglesShareAFlush() {
        byte[] bytes = pattern(3 * ROCE_PACKET);
        a.queue(bytes, bytes.length, b, 1);
        a.queue(bytes, ROCE_PACKET, b, 2);
        a.queue(bytes, bytes.length, b, 0);
        a.queue(bytes, 2 * ROCE_PACKET, b, 3);

        assertThat(a.port().flush()).isEqualTo(4);

        assertThat(b.receive(4))
                .extracting(Received::segmentBytes, Received::tos)
                .containsExactly(
                        tuple(bytes.length, 1),
                        tuple(ROCE_PACKET, 2),
                        tuple(bytes.length, 0),
                        tuple(2 * ROCE_PACKET, 3));
    }

    @Test
    void whoDoesNotCoalesceGetsDatagrams() throws Exception {
        byte[] bytes = pattern(2 * ROCE_PACKET + 100);
        try (DatagramSocket plain = new DatagramSocket(0, InetAddress.getByAddress(new byte[] {127, 0, 0, 9}))) {
            plain.setSoTimeout(10_000);
            a.queue(bytes, ROCE_PACKET, 0x7f00_0009, plain.getLocalPort(), 0);
            assertThat(a.port().flush()).isOne();

            DatagramPacket packet = new DatagramPacket(new byte[bytes.length], bytes.length);
            for (int from = 0; from < bytes.length; from += ROCE_PACKET) {
                plain.receive(packet);
                assertThat(Arrays.copyOf(packet.getData(), packet.getLength()))
                        .isEqualTo(Arrays.copyOfRange(bytes, from, Math.min(from + ROCE_PACKET, bytes.length)));
                packet.setLength(bytes.length);
            }
        }
    }

    @Test
    void whereTheKernelDoesNotSegmentDatagramsGoSingly() throws PosixException {
        byte[] bytes = pattern(3 * ROCE_PACKET + 100);
        DatagramQueue queue = new DatagramQueue(64, bytes.length, false);
        MemorySegment.copy(bytes, 0, queue.memory(), JAVA_BYTE, 0, bytes.length);
        try (Fd socket = UdpSocket.open(FIRST, 0, 1 << 20, 1)) {
            assertThat(queue.add(0, bytes.length, ROCE_PACKET, SECOND, b.port().port(), 0x61))
                    .isTrue();
            assertThat(queue.pending()).isEqualTo(4);

            assertThat(queue.flush(socket)).isEqualTo(4);
        }

        List<Received> got = b.receive(4);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Received one : got) {
            assertThat(one.tos()).isEqualTo(0x61);
            all.writeBytes(one.bytes());
        }
        assertThat(all.toByteArray()).isEqualTo(bytes);
        assertThat(got).extracting(Received::segmentBytes).containsExactly(ROCE_PACKET, ROCE_PACKET, ROCE_PACKET, 100);
    }

    @Test
    void whereTheKernelDoesNotSegmentABatchFitsWholeOrNot() {
        DatagramQueue queue = new DatagramQueue(64, 64, false);
        assertThat(queue.add(0, 62, 1, SECOND, 9, 0)).isTrue();

        assertThat(queue.add(0, 3, 1, SECOND, 9, 0)).isFalse();

        assertThat(queue.pending()).isEqualTo(62);
        assertThat(queue.add(0, 2, 1, SECOND, 9, 0)).isTrue();
        assertThat(queue.pending()).isEqualTo(64);
    }

    /** UDP-Lite answers a batch as a device without checksums did before Linux 6.11: EIO. */
    @Test
    void aPathThatCannotSegmentTurnsItOff() throws PosixException {
        DatagramQueue queue = new DatagramQueue(64, 64, true);
        try (Fd socket = udpLite()) {
            assertThat(queue.add(0, 4, 1, SECOND, 9, 0)).isTrue();
            assertThat(queue.add(0, 4, 4, SECOND, 9, 0)).isTrue();

            assertThat(queue.flush(socket)).isOne();

            assertThat(queue.dropErrno()).isEqualTo(Errno.EIO);
            assertThat(queue.isSegmenting()).isFalse();
            assertThat(queue.add(0, 4, 1, SECOND, 9, 0)).isTrue();
            assertThat(queue.flush(socket)).isEqualTo(4);
            assertThat(queue.dropped()).isOne();
        }
    }

    private static Fd udpLite() {
        int ipprotoUdpLite = 136;
        int datagramsWithoutWaiting = 2 | 0x800;
        long number = SystemCall.make(SYS_SOCKET, InetAddressLayout.AF_INET, datagramsWithoutWaiting, ipprotoUdpLite);
        assumeTrue(number >= 0, "this kernel has no UDP-Lite");
        return new Fd((int) number);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 1, 0, 9", // offset
        "131072, 1, 1, 0, 9",
        "131071, 2, 2, 0, 9",
        "9223372036854775807, 1, 1, 0, 9",
        "0, -1, 1, 0, 9", // length
        "0, 65508, 65508, 0, 9",
        "0, 2147483647, 2147483647, 0, 9",
        "0, 65001, 32768, 0, 9",
        "0, 10, 0, 0, 9", // segment
        "0, 10, -1, 0, 9",
        "0, 0, -1, 0, 9",
        "0, 65, 1, 0, 9",
        "0, 65000, 1015, 0, 9",
        "0, 1, 1, -1, 9", // tos
        "0, 1, 1, 256, 9",
        "0, 1, 1, 0, -1", // port
        "0, 1, 1, 0, 65536"
    })
    void refusesWhatNoDatagramCanBe(long offset, int lengthBytes, int segmentBytes, int tos, int port) {
        assertThatThrownBy(() -> a.port().add(offset, lengthBytes, segmentBytes, SECOND, port, tos))
                .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);

        assertThat(a.port().pending()).isZero();
    }
}
