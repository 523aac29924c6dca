package io.hyperverbs.upper.ipoib.link;

import static io.hyperverbs.upper.ipoib.link.LinkFixture.BROADCAST;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.PKEY;
import static io.hyperverbs.upper.ipoib.link.LinkFixture.SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.upper.ipoib.frame.MulticastGid;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.verbs.ip.PacketOffload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class OutgoingTest {
    private static final String TO_ALL = Integer.toHexString(BROADCAST) + " ffffff ";
    private static final int IGMP = 2;
    private static final int UDP = 17;

    private final Queue<byte[]> packets = new ArrayDeque<>();
    private final PacketOffload said = new PacketOffload();
    private LinkFixture link;
    private Outgoing outgoing;

    @BeforeEach
    void make() throws VerbsException {
        link = new LinkFixture();
        outgoing = outgoing(true);
    }

    private Outgoing outgoing(boolean leavesSegments) {
        IpInterface device = SendingHca.fake(IpInterface.class, (_, method, arguments) -> switch (method.getName()) {
            case "address" -> LinkFixture.OWN_IP.ipv4();
            case "prefixLength" -> 24;
            case "mtuBytes" -> 2044;
            case "leavesSegments" -> leavesSegments;
            case "take" -> take((MemorySegment) arguments[0], (PacketOffload) arguments[1]);
            default -> throw new UnsupportedOperationException(method.getName());
        });
        return new Outgoing(
                device, link.sender, link.groups, link.resolution, PKEY, link.counters, 2044, () -> link.nowNanos);
    }

    private int take(MemorySegment room, PacketOffload left) {
        byte[] packet = packets.poll();
        if (packet == null) {
            return 0;
        }
        PacketOffload _ = left.clear().hold(said.headerBytes(), said.segmentBytes());
        if (said.lacksChecksum()) {
            PacketOffload _ = left.lackChecksum(said.checksumStart(), said.checksumField());
        }
        MemorySegment _ = room.copyFrom(MemorySegment.ofArray(packet));
        return packet.length;
    }

    /** An IPv4 packet of a header and four bytes. */
    private static byte[] packet(String to, int protocol, int first) {
        return HexFormat.of()
                .parseHex("45000018000000000a%02x00000a010001%08x%02x000000"
                        .formatted(protocol, IpAddress.parse(to).ipv4(), first));
    }

    private void put(String to) {
        packets.add(packet(to, UDP, 7));
    }

    private static String frame(String to) {
        return "0800 " + HexFormat.of().formatHex(packet(to, UDP, 7));
    }

    @Test
    void sendsNothingWhereThereIsNothing() throws IOException, VerbsException {
        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).isEmpty();
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void aPacketForANeighbourGoesToAddressResolution() throws IOException, VerbsException {
        put("10.1.0.2");

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).containsExactly(TO_ALL + "arp 1 10.1.0.2");
        assertThat(link.sender.free()).isEqualTo(SLOTS - 1);
    }

    /** The broadcast address of the node's own network, and that of all. */
    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.255", "255.255.255.255"})
    void aBroadcastGoesToAll(String to) throws IOException, VerbsException {
        put(to);

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).containsExactly(TO_ALL + frame(to));
    }

    @Test
    void theBroadcastAddressOfAnotherNetworkIsANeighbours() throws IOException, VerbsException {
        put("10.1.1.255");

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).containsExactly(TO_ALL + "arp 1 10.1.1.255");
    }

    @Test
    void aPacketForAGroupGoesToItsGid() throws IOException, VerbsException {
        put("239.1.2.3");

        assertThat(outgoing.carry()).isFalse();

        int lid = RecordedSubnet.lid(MulticastGid.of(IpAddress.parse("239.1.2.3"), PKEY));
        assertThat(link.sent()).containsExactly(Integer.toHexString(lid) + " ffffff " + frame("239.1.2.3"));
        assertThat(outgoing.sawMembershipReport()).isFalse();
    }

    @Test
    void aPacketForAGroupThatIsNotThereIsDropped() throws IOException, VerbsException {
        link.subnet.refusals.put(MulticastGid.of(IpAddress.parse("239.1.2.3"), PKEY), VerbsStatus.EINVAL);
        put("239.1.2.3");

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).isEmpty();
        assertThat(link.counters.toString()).contains("no_group 1,");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void noticesOnceThatSocketsHaveJoinedAGroup() throws IOException, VerbsException {
        packets.add(packet("224.0.0.22", IGMP, 0x22));
        put("10.1.0.2");

        assertThat(outgoing.carry()).isFalse();

        assertThat(outgoing.sawMembershipReport()).isTrue();
        assertThat(outgoing.sawMembershipReport()).isFalse();
    }

    @Test
    void dropsWhatIsNoPacketAndGoesOn() throws IOException, VerbsException {
        packets.add(new byte[] {1, 2, 3});
        packets.add(new byte[40]);
        put("10.1.0.255");

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).containsExactly(TO_ALL + frame("10.1.0.255"));
        assertThat(link.counters.toString()).contains("malformed 2,");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void paysAttentionToOthersAfterThirtyTwo() throws IOException, VerbsException {
        for (int i = 0; i < 40; i++) {
            put("10.1.0.255");
        }

        assertThat(outgoing.carry()).isTrue();
        assertThat(link.hca.batches)
                .singleElement()
                .satisfies(batch -> assertThat(batch).hasSize(32));
        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).hasSize(40);
    }

    /** A packet of TCP to all, whose checksums are the interface's. */
    private static byte[] tcp(int bytes) {
        byte[] packet = new byte[bytes];
        byte[] header = HexFormat.of()
                .parseHex("4500%04x00010000400600000a0100010a0100ff".formatted(bytes)
                        + "00010002000000000000000050180100" + "00000000");
        System.arraycopy(header, 0, packet, 0, header.length);
        return packet;
    }

    @Test
    void aLongPacketOfTcpGoesAsSegments() throws IOException, VerbsException {
        packets.add(tcp(40 + 2500));
        PacketOffload _ = said.lackChecksum(20, 16).hold(40, 1000);

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent())
                .hasSize(3)
                .allSatisfy(sent -> assertThat(sent).startsWith(TO_ALL + "0800 4500"))
                .extracting(sent -> (sent.length() - (TO_ALL + "0800 ").length()) / 2)
                .containsExactly(1040, 1040, 540);
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @Test
    void segmentsCountAsPackets() throws IOException, VerbsException {
        packets.add(tcp(40 + 40_000));
        put("10.1.0.255");
        PacketOffload _ = said.lackChecksum(20, 16).hold(40, 1000);

        assertThat(outgoing.carry()).isTrue();

        assertThat(link.sent()).hasSize(40);
        assertThat(packets).hasSize(1);
    }

    @Test
    void aLongPacketThatIsNoTcpIsDropped() throws IOException, VerbsException {
        packets.add(tcp(40 + 2500));
        assertThat(outgoing.carry()).isFalse();
        packets.add(Arrays.copyOf(tcp(50), 45));
        packets.add(new byte[4000]);
        PacketOffload _ = said.lackChecksum(20, 16).hold(40, 1000);

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).isEmpty();
        assertThat(link.counters.toString()).contains("malformed 3,");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void completesAChecksum(boolean leavesSegments) throws IOException, VerbsException {
        outgoing = outgoing(leavesSegments);
        put("10.1.0.255");
        put("10.1.0.255");
        // Counted from byte 20: words 0007, 0000 and the field at 22, which has the sum of what is before.
        PacketOffload _ = said.lackChecksum(20, 2);

        assertThat(outgoing.carry()).isFalse();

        String to = TO_ALL + frame("10.1.0.255");
        String expected = to.substring(0, to.length() - 8) + "0700f8ff";
        assertThat(link.sent()).containsExactly(expected, expected);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChecksumOutsideOfThePacketIsMalformed(boolean leavesSegments) throws IOException, VerbsException {
        outgoing = outgoing(leavesSegments);
        put("10.1.0.255");
        PacketOffload _ = said.lackChecksum(20, 3);

        assertThat(outgoing.carry()).isFalse();

        assertThat(link.sent()).isEmpty();
        assertThat(link.counters.toString()).contains("malformed 1,");
        assertThat(link.sender.free()).isEqualTo(SLOTS);
    }
}
