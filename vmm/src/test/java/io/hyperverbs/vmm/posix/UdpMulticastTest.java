package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.FIRST;
import static io.hyperverbs.vmm.posix.UdpTestPort.SECOND;
import static io.hyperverbs.vmm.posix.UdpTestPort.SMALL;
import static io.hyperverbs.vmm.posix.UdpTestPort.bytes;
import static io.hyperverbs.vmm.posix.UdpTestPort.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.posix.UdpTestPort.Received;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups between ports of one computer, over the loopback interface. */
@Timeout(60)
class UdpMulticastTest {
    private static final int GROUP = 0xef77_0102;
    private static final int OTHER = 0xef77_0103;
    private static final int MOST_GROUPS = 63;

    private UdpTestPort a;
    private UdpTestPort b;

    /** Both have the same number, as RoCEv2's do. */
    @BeforeEach
    void open() throws PosixException {
        a = UdpTestPort.at(FIRST);
        b = new UdpTestPort(UdpPort.open(SECOND, a.port().port(), SMALL));
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private void sendTo(int group, int value) {
        a.queue(bytes(value), 1, group, b.port().port(), 0x21);
        assertThat(a.port().flush()).isOne();
    }

    @Test
    void everyMemberGetsItWithTheGroupAsDestination() throws PosixException {
        a.port().join(GROUP);
        b.port().join(GROUP);

        sendTo(GROUP, 5);

        for (UdpTestPort member : List.of(a, b)) {
            Received got = member.receiveOne();
            assertThat(got.bytes()).containsExactly(5);
            assertThat(got.destination()).isEqualTo(GROUP);
            assertThat(got.source()).isEqualTo(FIRST);
            assertThat(got.sourcePort()).isEqualTo(a.port().port());
            assertThat(got.tos()).isEqualTo(0x21);
            assertThat(member.port().receive()).isZero();
        }
    }

    @Test
    void whoIsNoMemberHearsNothing() throws PosixException {
        a.port().join(GROUP);
        b.port().join(OTHER);

        sendTo(GROUP, 5);

        assertThat(a.receiveOne().bytes()).containsExactly(5);
        assertThat(b.port().receive()).isZero();
    }

    @Test
    void whoHasLeftHearsNothing() throws PosixException {
        a.port().join(GROUP);
        b.port().join(GROUP);
        b.port().join(OTHER);
        b.port().leave(GROUP);
        b.port().leave(GROUP);

        sendTo(GROUP, 5);
        sendTo(OTHER, 6);

        assertThat(a.receiveOne().bytes()).containsExactly(5);
        assertThat(b.receiveOne().bytes()).containsExactly(6);
        assertThat(b.port().receive()).isZero();
    }

    @Test
    void joiningAgainChangesNothing() throws PosixException {
        b.port().join(GROUP);
        b.port().join(GROUP);

        sendTo(GROUP, 5);

        assertThat(b.receiveOne().bytes()).containsExactly(5);
        assertThat(b.port().receive()).isZero();
        b.port().leave(GROUP);
        sendTo(GROUP, 6);
        assertThat(b.port().receive()).isZero();
    }

    @Test
    void ownDatagramsAndThoseOfGroupsAllArrive() throws PosixException {
        b.port().join(GROUP);
        b.port().join(OTHER);
        int rounds = 3 * SMALL.receiveBuffers();
        for (int i = 0; i < rounds; i++) {
            a.send(b, 1);
            sendTo(GROUP, 2);
            sendTo(OTHER, 3);
        }

        List<Integer> destinations = new ArrayList<>();
        b.receive(3 * rounds).forEach(got -> destinations.add(got.destination()));

        assertThat(destinations).hasSize(3 * rounds);
        for (int destination : List.of(SECOND, GROUP, OTHER)) {
            assertThat(destinations.stream().filter(d -> d == destination)).hasSize(rounds);
        }
        assertThat(b.port().receive()).isZero();
    }

    /** While its own socket always has something, a group has its turn all the same. */
    @Test
    void aBusySocketDoesNotHideAGroup() throws PosixException {
        b.port().join(GROUP);
        for (int i = 0; i < 4 * SMALL.receiveBuffers(); i++) {
            a.send(b, 1);
        }
        sendTo(GROUP, 2);

        List<Received> first = b.receive();
        List<Received> second = b.receive();

        List<Received> both = new ArrayList<>(first);
        both.addAll(second);
        assertThat(both).extracting(Received::destination).contains(GROUP);
    }

    @Test
    void aGroupWakesTheEpollOfThePort() throws PosixException {
        try (Epoll epoll = Epoll.create()) {
            epoll.add(b.port().fd().number(), 7);
            b.port().join(GROUP);
            for (int i = 0; i < 3; i++) {
                sendTo(GROUP, i);

                assertThat(epoll.await(Epoll.FOREVER)).isOne();
                assertThat(b.receiveOne().bytes()).containsExactly(i);
                assertThat(b.port().receive()).isZero();
                assertThat(epoll.await(0)).isZero();
                a.send(b, 9);
                assertThat(epoll.await(Epoll.FOREVER)).isOne();
                assertThat(b.receiveOne().destination()).isEqualTo(SECOND);
                assertThat(b.port().receive()).isZero();
            }
        }
    }

    /** What came before the first group was joined, and after the last was left, is not lost. */
    @Test
    void joiningAndLeavingLosesNothingOfItsOwn() throws PosixException {
        a.send(b, 1);
        b.port().join(GROUP);
        assertThat(b.receiveOne().bytes()).containsExactly(1);
        a.send(b, 2);
        b.port().leave(GROUP);
        assertThat(b.receiveOne().bytes()).containsExactly(2);
        a.send(b, 3);
        b.port().join(OTHER);

        assertThat(b.receiveOne().bytes()).containsExactly(3);
    }

    @Test
    void batchToAGroupArrivesInOrder() throws PosixException {
        a.port().join(GROUP);
        b.port().join(GROUP);
        byte[] bytes = pattern(3 * 4116);
        a.queue(bytes, 4116, GROUP, b.port().port(), 0);

        assertThat(a.port().flush()).isOne();

        assertThat(a.receiveBytes(bytes.length)).isEqualTo(bytes);
        assertThat(b.receiveBytes(bytes.length)).isEqualTo(bytes);
    }

    @Test
    void hasRoomForSixtyThreeGroups() throws PosixException {
        for (int i = 0; i < MOST_GROUPS; i++) {
            b.port().join(GROUP + i);
        }

        assertThatThrownBy(() -> b.port().join(GROUP + MOST_GROUPS))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOBUFS));

        sendTo(GROUP + MOST_GROUPS - 1, 4);
        assertThat(b.receiveOne().destination()).isEqualTo(GROUP + MOST_GROUPS - 1);
        b.port().leave(GROUP);
        b.port().join(GROUP + MOST_GROUPS);
        sendTo(GROUP + MOST_GROUPS, 4);
        assertThat(b.receiveOne().destination()).isEqualTo(GROUP + MOST_GROUPS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x7f00_0001, 0xdfff_ffff, 0xf000_0000})
    void refusesWhatIsNoGroup(int address) {
        assertThatThrownBy(() -> a.port().join(address))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        a.port().leave(address);
    }
}
