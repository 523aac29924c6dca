package io.hyperverbs.upper.ipoib.link;

import static io.hyperverbs.upper.ipoib.link.LinkFixture.BROADCAST;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OTHER;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OTHER_IP;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OTHER_QPN;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OWN;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.OWN_IP;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.frame.ArpMessage;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.upper.ipoib.neighbour.NeighbourTable;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ARP; neighbour discovery goes the same ways. */
@Timeout(20)
class AddressResolutionTest {
    private static final String TO_ALL = Integer.toHexString(BROADCAST) + " ffffff ";
    private static final String TO_OTHER = "9 22 ";
    private static final ArpMessage REPLY =
            ArpMessage.request(OWN, OWN_IP, OTHER_IP).reply(OTHER);
    private static final ArpMessage REQUEST = ArpMessage.request(OTHER, OTHER_IP, OWN_IP);

    private LinkFixture link;

    @BeforeEach
    void make() throws VerbsException {
        link = new LinkFixture();
    }

    private void assertCounted(String what) {
        assertThat(link.counters.toString()).contains(what);
    }

    @Test
    void announcesItsAddressToAll() throws VerbsException {
        link.resolution.announce();

        assertThat(link.sent()).containsExactly(TO_ALL + "arp 1 10.1.0.1");
    }

    @Test
    void packetsWaitForTheAnswerAndGoInOrder() throws VerbsException {
        link.send(OTHER_IP, 1);
        link.send(OTHER_IP, 2);
        assertThat(link.sent()).containsExactly(TO_ALL + "arp 1 10.1.0.2");

        link.receive(REPLY, OTHER_QPN);
        link.send(OTHER_IP, 3);

        assertThat(link.sent()).containsExactly(TO_OTHER + "0800 01", TO_OTHER + "0800 02", TO_OTHER + "0800 03");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void asksThreeTimesAndThenDropsThePackets() throws VerbsException {
        link.send(OTHER_IP, 1);
        int asked = 0;
        while (link.resolution.due() != NeighbourTable.NEVER) {
            asked += link.sent().size();
            link.nowNanos += link.resolution.due();
            link.resolution.advance();
        }

        assertThat(asked).isEqualTo(NeighbourTable.MAX_SOLICITATIONS);
        assertThat(link.sent()).isEmpty();
        assertThat(link.sender.free()).isEqualTo(SLOTS);
        assertCounted("unreachable 1,");
    }

    @Test
    void answersWhoAsksAndKnowsItsAddressThen() throws VerbsException {
        link.receive(REQUEST, OTHER_QPN);
        assertThat(link.sent()).containsExactly(TO_OTHER + "arp 2 10.1.0.2");

        link.send(OTHER_IP, 1);

        // An address that nobody has confirmed is probed on its first use.
        assertThat(link.sent()).containsExactly(TO_OTHER + "arp 1 10.1.0.2", TO_OTHER + "0800 01");
    }

    @Test
    void answersNobodyWhoAsksForAnother() throws VerbsException {
        link.receive(ArpMessage.request(OTHER, OTHER_IP, IpAddress.parse("10.1.0.3")), OTHER_QPN);

        assertThat(link.sent()).isEmpty();
    }

    @Test
    void dropsMessagesThatNameAnotherQueuePairThanTheyCameFrom() throws VerbsException {
        link.send(OTHER_IP, 1);
        assertThat(link.sent()).hasSize(1);

        link.receive(REPLY, OTHER_QPN + 1);
        link.receive(REQUEST, OTHER_QPN + 1);

        assertThat(link.sent()).isEmpty();
        assertCounted("forged 2");
    }

    @Test
    void learnsNothingFromWhoSaysThatItHasTheSameAddress() throws VerbsException {
        link.receive(ArpMessage.request(OTHER, OWN_IP, OWN_IP), OTHER_QPN);
        link.receive(ArpMessage.request(OTHER, OWN_IP, OTHER_IP), OTHER_QPN);

        assertThat(link.sent()).isEmpty();
        assertCounted("forged 0");
    }

    @Test
    void countsWhatIsNoMessage() {
        link.resolution.arp(MemorySegment.ofArray(new byte[ArpMessage.SIZE_BYTES]), 0, 56, OTHER_QPN);
        link.resolution.arp(MemorySegment.ofArray(new byte[8]), 0, 8, OTHER_QPN);
        link.resolution.discovery(MemorySegment.ofArray(new byte[64]), 0, 64, OTHER_QPN);

        assertCounted("malformed 3");
    }

    @Test
    void aPacketToAPortThatIsGoneIsDropped() throws VerbsException {
        link.send(OTHER_IP, 1);
        assertThat(link.sent()).hasSize(1);
        link.subnet.ports.clear();

        link.receive(REPLY, OTHER_QPN);

        assertThat(link.sent()).isEmpty();
        assertCounted("unreachable 1,");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void packetsThatWaitLeaveHalfOfTheSlots() throws VerbsException {
        link.receive(REQUEST, OTHER_QPN);
        assertThat(link.sent()).hasSize(1);
        for (int i = 0; i < 10 * SLOTS; i++) {
            link.send(IpAddress.parse("10.1.0." + (10 + i % 100)), i);
            if (i % 8 == 0) {
                link.sender.drain();
            }
        }

        assertThat(link.sender.free()).isBetween(SLOTS / 2 - 1, SLOTS);
        assertThat(link.sent()).isNotEmpty();
        link.send(OTHER_IP, 1);
        assertThat(link.sent()).contains(TO_OTHER + "0800 01");
    }
}
