package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.FIRST;
import static io.hyperverbs.vmm.posix.UdpTestPort.SECOND;
import static io.hyperverbs.vmm.posix.UdpTestPort.SMALL;
import static io.hyperverbs.vmm.posix.UdpTestPort.bytes;
import static io.hyperverbs.vmm.posix.UdpTestPort.pattern;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.posix.UdpTestPort.Received;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UdpPortTest {
    private static final int UNUSED_PORT = 1;
    private static final int ELSEWHERE = 0xc000_0201; // 192.0.2.1, which no computer has

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
    void carriesOneDatagramWithItsAddresses() {
        a.send(b, 1, 2, 3);

        Received got = b.receiveOne();
        assertThat(got.bytes()).containsExactly(1, 2, 3);
        assertThat(got.segmentBytes()).isEqualTo(3);
        assertThat(got.source()).isEqualTo(FIRST);
        assertThat(got.sourcePort()).isEqualTo(a.port().port());
        assertThat(got.destination()).isEqualTo(SECOND);
        assertThat(b.port().receive()).isZero();
    }

    /** DSCP in the upper six bits; all four values of ECN. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 0x6a, 0xff})
    void carriesTos(int tos) {
        a.send(bytes(9), 1, b, tos);

        assertThat(b.receiveOne().tos()).isEqualTo(tos);
    }

    @Test
    void carriesDatagramsOfLengthZero() {
        a.send(new byte[0], 0, b, 0);
        a.send(b, 7);

        List<Received> got = b.receive(2);
        assertThat(got.get(0).bytes()).isEmpty();
        assertThat(got.get(0).segmentBytes()).isZero();
        assertThat(got.get(1).bytes()).containsExactly(7);
    }

    @Test
    void carriesTheLongestDatagram() {
        byte[] longest = pattern(UdpPort.MAX_DATAGRAM_BYTES);

        a.send(longest, longest.length, b, 0);

        assertThat(b.receiveOne().bytes()).isEqualTo(longest);
    }

    @Test
    void keepsTheOrderOfMoreMessagesThanBuffers() {
        for (int i = 0; i < SMALL.sendMessages(); i++) {
            a.port().sendMemory().setAtIndex(JAVA_INT, i, i);
            assertThat(a.port().add(4L * i, 4, 4, SECOND, b.port().port(), i & 3))
                    .isTrue();
        }

        assertThat(a.port().flush()).isEqualTo(SMALL.sendMessages());

        List<Received> got = b.receive(SMALL.sendMessages());
        for (int i = 0; i < got.size(); i++) {
            assertThat(got.get(i).bytes()).containsExactly(i, 0, 0, 0);
            assertThat(got.get(i).tos()).isEqualTo(i & 3);
        }
        assertThat(b.port().receive()).isZero();
    }

    @Test
    void refusesMoreMessagesThanTheQueueHas() {
        for (int i = 0; i < SMALL.sendMessages(); i++) {
            assertThat(a.port().add(0, 1, 1, SECOND, b.port().port(), 0)).isTrue();
        }

        assertThat(a.port().add(0, 1, 1, SECOND, b.port().port(), 0)).isFalse();

        assertThat(a.port().pending()).isEqualTo(SMALL.sendMessages());
        assertThat(a.port().flush()).isEqualTo(SMALL.sendMessages());
        assertThat(a.port().pending()).isZero();
        assertThat(a.port().add(0, 1, 1, SECOND, b.port().port(), 0)).isTrue();
    }

    @Test
    void flushOfNothingSendsNothing() {
        assertThat(a.port().flush()).isZero();
    }

    /** An unconnected socket without IP_RECVERR hears of no port unreachable. */
    @Test
    void closedPortLeavesNoError() {
        for (int i = 0; i < 3; i++) {
            a.queue(bytes(1), 1, SECOND, UNUSED_PORT, 0);
            assertThat(a.port().flush()).isOne();
        }

        assertThat(a.port().receive()).isZero();
        a.send(b, 4);
        assertThat(b.receiveOne().bytes()).containsExactly(4);
        assertThat(a.port().droppedSends()).isZero();
        assertThat(a.port().receiveErrors()).isZero();
    }

    @Test
    void dropsWhatTheKernelRefusesAndSendsTheRest() {
        // From a loopback address nothing leaves the computer: EINVAL; a broadcast needs an option: EACCES.
        assertThat(a.port().add(0, 1, 1, ELSEWHERE, 4791, 0)).isTrue();
        assertThat(a.port().add(0, 1, 1, 0xffff_ffff, 4791, 0)).isTrue();
        a.queue(bytes(5), 1, b, 0);
        assertThat(a.port().add(0, 1, 1, SECOND, 0, 0)).isTrue();
        a.queue(bytes(5), 1, b, 0);
        assertThat(a.port().add(0, 1, 1, 0xffff_ffff, 4791, 0)).isTrue();

        assertThat(a.port().flush()).isEqualTo(2);

        assertThat(a.port().pending()).isZero();
        assertThat(a.port().droppedSends()).isEqualTo(4);
        assertThat(a.port().dropErrno()).isEqualTo(Errno.EACCES);
        assertThat(b.receive(2)).allSatisfy(got -> assertThat(got.bytes()).containsExactly(5));
    }

    @Test
    void dropsWhatIsLongerThanItsBuffer() throws PosixException {
        try (UdpTestPort small = new UdpTestPort(UdpPort.open(SECOND, 0, SMALL, 100))) {
            a.send(pattern(101), 101, small, 0);
            a.send(pattern(100), 100, small, 0);
            a.send(pattern(1000), 1000, small, 0);

            assertThat(small.receiveOne().bytes()).isEqualTo(pattern(100));
            assertThat(small.port().receive()).isZero();
            assertThat(small.port().truncatedReceives()).isEqualTo(2);
        }
    }

    @Test
    void dropsWhatNobodyReceivesInTime() throws PosixException {
        UdpPort.Settings least = new UdpPort.Settings(8, 1 << 16, 64, 1, 1);
        try (UdpTestPort slow = new UdpTestPort(UdpPort.open(SECOND, 0, least))) {
            int sent = 200;
            for (int i = 0; i < sent; i++) {
                a.send(pattern(1000), 1000, slow, 0);
            }

            int received = 0;
            for (int got = slow.port().receive(); got > 0; got = slow.port().receive()) {
                received += got;
            }
            assertThat(received).isBetween(1, sent - 1);
            assertThat(slow.port().overruns()).isEqualTo(sent - received);
            assertThat(a.port().droppedSends()).isZero();
            a.send(slow, 8);
            assertThat(slow.receiveOne().bytes()).containsExactly(8);
        }
    }

    @Test
    void wakesAnEpollOnceForEachArrival() throws PosixException {
        try (Epoll epoll = Epoll.create()) {
            epoll.add(b.port().fd().number(), 42);
            assertThat(epoll.await(0)).isZero();

            for (int i = 0; i < 3; i++) {
                a.send(b, i);

                assertThat(epoll.await(Epoll.FOREVER)).isOne();
                assertThat(epoll.tag(0)).isEqualTo(42);
                assertThat(b.receiveOne().bytes()).containsExactly(i);
                assertThat(b.port().receive()).isZero();
                assertThat(epoll.await(0)).isZero();
            }
        }
    }

    @Test
    void wakesWhoSleepsInAnEpoll() throws Exception {
        try (Epoll epoll = Epoll.create()) {
            epoll.add(b.port().fd().number(), 1);
            Thread sender = Thread.ofPlatform().start(() -> a.send(b, 1));

            assertThat(epoll.await(TimeUnit.SECONDS.toNanos(10))).isOne();

            assertThat(b.receiveOne().bytes()).containsExactly(1);
            sender.join();
        }
    }

    @Test
    void givesBuffersOfTheKernel() throws PosixException {
        // Twice what was asked for, or the computer's limit of an ordinary user.
        assertThat(a.port().receiveBufferBytes()).isGreaterThan(100_000);
        assertThat(a.port().sendBufferBytes()).isGreaterThan(100_000);
    }

    @Test
    void onePortHasOneOwner() {
        assertThatThrownBy(() -> UdpPort.open(FIRST, a.port().port(), SMALL))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRINUSE))
                .hasMessageContaining("bind 127.0.0.2:" + a.port().port());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0xef01_0203, ELSEWHERE})
    void refusesAnAddressThatIsNotOnesOwn(int address) {
        assertThatThrownBy(() -> UdpPort.open(address, 0, SMALL))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EADDRNOTAVAIL));
    }

    @Test
    void settingsHaveBounds() {
        UdpPort.Settings.standard();

        assertThatThrownBy(() -> new UdpPort.Settings(0, 1, 64, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UdpPort.Settings(1025, 1, 64, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UdpPort.Settings(1, 1, 63, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UdpPort.Settings(1, 1, 64, 1, 256)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothingIsDoneWithAClosedPort() {
        a.close();

        assertThatThrownBy(() -> a.port().receive()).isInstanceOf(IllegalStateException.class);
        a.queue(bytes(1), 1, b, 0);
        assertThatThrownBy(() -> a.port().flush()).isInstanceOf(IllegalStateException.class);
    }
}
