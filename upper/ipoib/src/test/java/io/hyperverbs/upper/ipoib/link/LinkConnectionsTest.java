package io.hyperverbs.upper.ipoib.link;

import static io.hyperverbs.upper.ipoib.link.LinkFixture.OTHER_LID;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OTHER_QPN;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OWN_QPN;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.link.SendingHca.Request;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.ip.IpInterface;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams have up to 256 bytes here, frames of connections up to 2048. */
@Timeout(20)
class LinkConnectionsTest {
    private static final int DATAGRAM = 256;
    private static final int FRAME = 2048;
    private static final HardwareAddress OTHER =
            new HardwareAddress(HardwareAddress.RC, OTHER_QPN, LinkFixture.OTHER.gid());
    private static final PrivateData TERMS = new ConnectionTerms(OTHER_QPN, FRAME).privateData();
    private static final String OWN = "ConnectionTerms[qpn=17, frameBytes=2048]";

    private final List<Integer> saidMtus = new ArrayList<>();
    private LinkFixture link;
    private ConnectingHca hca;
    private LinkConnections connections;

    @BeforeEach
    void make() throws VerbsException {
        link = new LinkFixture();
        hca = new ConnectingHca(link.hca);
        IpInterface device = SendingHca.fake(IpInterface.class, (_, _, of) -> {
            MemorySegment message = (MemorySegment) of[0];
            return saidMtus.add(message.asByteBuffer().getInt(24));
        });
        DatagramSender datagrams = new DatagramSender(
                link.sender, new LinkPaths(link.subnet.pd(), link.subnet.administration(), link.sender));
        connections = new LinkConnections(
                hca.context(),
                hca.queuePairs(4),
                datagrams,
                new TooLongPackets(device, link.sender, link.counters),
                link.counters,
                new ConnectionTerms(OWN_QPN, FRAME),
                DATAGRAM,
                () -> link.nowNanos);
        link.sender.others(connections::completed);
    }

    private void send(HardwareAddress to, int lengthBytes) throws VerbsException {
        int slot = link.sender.take();
        MemorySegment header = MemorySegment.ofArray(HexFormat.of()
                .parseHex("08000000" + "4500%04x0000000040110000".formatted(lengthBytes - 4) + "0a0100010a010002"));
        MemorySegment.copy(
                header, 0, link.sender.slots().memory(), link.sender.slots().offset(slot), header.byteSize());
        connections.send(slot, lengthBytes, to);
    }

    /** What was sent since the last call: where to and how long, such as {@code 9 200} or {@code rc 101 2000}. */
    private List<String> sent() throws VerbsException {
        link.sender.flush();
        List<String> sent = new ArrayList<>();
        for (List<Request> batch : link.hca.batches) {
            for (Request request : batch) {
                boolean isConnected = request.handle() == SendingHca.CONNECTED;
                sent.add((isConnected ? "rc " + Integer.toHexString(request.qpn()) : request.handle()) + " "
                        + request.lengthBytes());
            }
        }
        link.hca.batches.clear();
        return sent;
    }

    private void handle(CmEvent.Type type, int connection) throws VerbsException {
        connections.handle(hca.event(type, connection, TERMS));
    }

    /** A connection to the other node, as its first packet opens it. */
    private void connect() throws VerbsException {
        send(OTHER, 100);
        handle(CmEvent.Type.ESTABLISHED, 0);
        assertThat(sent()).containsExactly(OTHER_LID + " 100");
        link.sender.drain();
        var _ = hca.calls();
    }

    private void complete() throws VerbsException {
        link.hca.work();
        boolean _ = link.sender.reclaim(Duration.ZERO);
    }

    @Test
    void aNodeIsCalledByTheNumberOfItsDatagramsQueuePair() {
        assertThat(hca.calls()).containsExactly("listen 1000000000000011");
    }

    @Test
    void aNeighbourWithoutConnectionsGetsDatagramsAndNoLongPackets() throws VerbsException {
        send(LinkFixture.OTHER, DATAGRAM);
        send(LinkFixture.OTHER, DATAGRAM + 1);

        assertThat(sent()).containsExactly(OTHER_LID + " " + DATAGRAM);
        assertThat(saidMtus).containsExactly(DATAGRAM - 4);
        assertThat(link.counters.toString()).contains("too_long 1");
    }

    @Test
    void theFirstPacketOpensAConnectionAndShortOnesDoNotWaitForIt() throws VerbsException {
        var _ = hca.calls();
        send(OTHER, 100);
        send(OTHER, 1000);
        send(OTHER, 200);

        assertThat(hca.calls())
                .containsExactly("qp 257 to INIT 5", "resolve " + OTHER.gid(), "connect 0 1000000000000022 " + OWN);
        assertThat(sent()).containsExactly(OTHER_LID + " 100", OTHER_LID + " 200");

        handle(CmEvent.Type.ESTABLISHED, 0);
        send(OTHER, 100);
        assertThat(sent()).containsExactly("rc 101 1000", "rc 101 100");
        complete();
        link.sender.drain();
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void ofLongPacketsThreeWait() throws VerbsException {
        for (int i = 0; i < 5; i++) {
            send(OTHER, 1000 + i);
        }
        assertThat(link.sender.free()).isEqualTo(SLOTS - 3);

        handle(CmEvent.Type.ESTABLISHED, 0);

        assertThat(sent()).containsExactly("rc 101 1000", "rc 101 1001", "rc 101 1002");
        assertThat(link.counters.toString()).contains("unreachable 2");
    }

    @ParameterizedTest
    @EnumSource(names = {"REJECTED", "UNREACHABLE", "CONNECT_ERROR", "DISCONNECTED"})
    void aConnectionThatIsLostIsNotOpenedAgainAtOnce(CmEvent.Type type) throws VerbsException {
        send(OTHER, 1000);
        var _ = hca.calls();
        handle(type, 0);

        assertThat(hca.calls()).containsExactly("close 0", "qp 257 to ERR -1");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
        var _ = sent();
        complete();
        assertThat(hca.calls()).containsExactly("close qp 257");
        send(OTHER, 100);
        send(OTHER, 1000);
        assertThat(sent()).containsExactly(OTHER_LID + " 100");
        // Who is lost for a moment takes long packets soon again, and a socket would remember the shorter length.
        assertThat(saidMtus).hasSize(type == CmEvent.Type.REJECTED ? 1 : 0);
        assertThat(hca.calls()).isEmpty();

        link.nowNanos += LinkConnections.PAUSE_NANOS;
        send(OTHER, 1000);
        assertThat(hca.calls()).hasSize(3).last().asString().startsWith("connect 1 ");
    }

    @Test
    void aRequestThatFailsEndsItsConnection() throws VerbsException {
        connect();
        send(OTHER, 1000);
        send(OTHER, 1001);
        link.hca.failing.add(0x101);

        complete();

        assertThat(hca.calls()).containsExactly("close 0", "qp 257 to ERR -1");
        complete();
        assertThat(hca.calls()).containsExactly("close qp 257");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
        assertThat(link.counters.toString()).contains("not_sent 2");
    }

    /** Who waits has no room of those that can go: without that, packets to neighbours that do not answer took all. */
    @Test
    void packetsThatWaitForConnectionsLeaveHalfOfTheSlots() throws VerbsException {
        for (int i = 0; i < 20; i++) {
            for (int packet = 0; packet < 3; packet++) {
                Gid gid = new Gid(Gid.LINK_LOCAL_PREFIX, 100 + i);
                send(new HardwareAddress(HardwareAddress.RC, 100 + i, gid), 1000);
            }
        }

        assertThat(link.sender.free()).isBetween(SLOTS / 2 - 1, SLOTS / 2);
    }

    @Test
    void aNeighbourGetsNoLongerFramesThanItTakes() throws VerbsException {
        send(OTHER, 100);
        connections.handle(hca.event(CmEvent.Type.ESTABLISHED, 0, new ConnectionTerms(OTHER_QPN, 1004).privateData()));
        var _ = sent();

        send(OTHER, 1004);
        send(OTHER, 1005);

        assertThat(sent()).containsExactly("rc 101 1004");
        assertThat(saidMtus).containsExactly(1000);
    }

    @Test
    void aNeighbourThatAnswersWithoutTermsIsLost() throws VerbsException {
        send(OTHER, 100);
        var _ = hca.calls();

        connections.handle(hca.event(CmEvent.Type.ESTABLISHED, 0, PrivateData.none()));

        assertThat(hca.calls()).containsExactly("close 0", "qp 257 to ERR -1");
    }

    @Test
    void oneNeighbourHasNotAllSlots() throws VerbsException {
        connect();
        link.hca.meanwhile = () -> {};
        for (int i = 0; i <= PeerConnection.MOST_POSTED; i++) {
            send(OTHER, 1000);
        }

        assertThat(sent()).hasSize(PeerConnection.MOST_POSTED);
        assertThat(link.counters.toString()).contains("not_sent 1");
        link.hca.meanwhile = link.hca::work;
        send(OTHER, 1000);
        assertThat(sent()).hasSize(1);
    }

    @Test
    void aQueuePairThatDoesNotTakeAPacketDropsIt() throws VerbsException {
        connect();
        link.hca.answer = VerbsStatus.ENOMEM;

        send(OTHER, 1000);

        assertThat(link.sender.free()).isEqualTo(SLOTS);
        assertThat(link.counters.toString()).contains("not_sent 1");
    }

    @Test
    void theNeighbourThatWasSentToLongestAgoMakesRoom() throws VerbsException {
        List<HardwareAddress> neighbours = new ArrayList<>();
        for (int i = 0; i <= LinkConnections.MOST; i++) {
            Gid gid = new Gid(Gid.LINK_LOCAL_PREFIX, 100 + i);
            link.subnet.ports.put(gid, 100 + i);
            neighbours.add(new HardwareAddress(HardwareAddress.RC, 100 + i, gid));
        }
        for (HardwareAddress neighbour : neighbours.subList(0, LinkConnections.MOST)) {
            send(neighbour, 100);
        }
        send(neighbours.getFirst(), 100);
        var _ = hca.calls();

        send(neighbours.getLast(), 100);

        assertThat(hca.calls()).startsWith("close 1", "qp 258 to ERR -1");
    }

    @Test
    void whereThereIsNoQueuePairDatagramsGo() throws VerbsException {
        hca.refusal = VerbsStatus.EAGAIN;

        send(OTHER, 100);

        assertThat(sent()).containsExactly(OTHER_LID + " 100");
    }

    @Test
    void neighboursConnectAndEndTheirs() throws VerbsException {
        var _ = hca.calls();
        connections.handle(hca.request(1, TERMS));
        handle(CmEvent.Type.ESTABLISHED, 0);
        assertThat(hca.calls()).containsExactly("qp 257 to INIT 5", "accept 0 " + OWN);

        handle(CmEvent.Type.DISCONNECTED, 0);
        assertThat(hca.calls()).containsExactly("close 0", "qp 257 to ERR -1");
        complete();
        assertThat(hca.calls()).containsExactly("close qp 257");
    }

    @Test
    void whoSaysNoTermsAndWhoIsOneTooManyIsRejected() throws VerbsException {
        connections.handle(hca.request(1, PrivateData.of("hi")));
        assertThat(hca.calls()).endsWith("reject 0", "close 0");

        for (int i = 0; i < LinkConnections.MOST; i++) {
            connections.handle(hca.request(i, TERMS));
        }
        var _ = hca.calls();
        connections.handle(hca.request(LinkConnections.MOST, TERMS));
        int last = LinkConnections.MOST + 1;
        assertThat(hca.calls()).isEqualTo(Arrays.asList("reject " + last, "close " + last));

        handle(CmEvent.Type.DISCONNECTED, 1);
        var _ = hca.calls();
        hca.refusal = VerbsStatus.EAGAIN;
        connections.handle(hca.request(LinkConnections.MOST, TERMS));
        assertThat(hca.calls()).containsExactly("close " + (last + 1));
        assertThat(link.counters.toString()).contains("refused 1");
    }

    @Test
    void oneGuestHasNotAllConnections() throws VerbsException {
        for (int i = 0; i < LinkConnections.MOST_OF_ONE; i++) {
            connections.handle(hca.request(7, TERMS));
        }
        var _ = hca.calls();

        connections.handle(hca.request(7, TERMS));
        connections.handle(hca.request(8, TERMS));

        assertThat(hca.calls()).startsWith("reject 2", "close 2").hasSize(4);
    }
}
