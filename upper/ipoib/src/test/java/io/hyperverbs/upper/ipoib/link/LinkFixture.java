package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.ArpMessage;
import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.upper.ipoib.frame.MulticastGid;
import io.hyperverbs.upper.ipoib.link.SendingHca.Request;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A node with 10.1.0.1/24 on a link with a node of 10.1.0.2, without an HCA and with a clock of the test. */
final class LinkFixture {
    static final int PKEY = 0xffff;
    static final int SLOTS = 64;
    static final int OWN_QPN = 0x11;
    static final int OTHER_QPN = 0x22;
    static final int OTHER_LID = 9;
    static final HardwareAddress OWN = new HardwareAddress(0, OWN_QPN, new Gid(Gid.LINK_LOCAL_PREFIX, 1));
    static final HardwareAddress OTHER = new HardwareAddress(0, OTHER_QPN, new Gid(Gid.LINK_LOCAL_PREFIX, 2));
    static final IpAddress OWN_IP = IpAddress.parse("10.1.0.1");
    static final IpAddress OTHER_IP = IpAddress.parse("10.1.0.2");

    /** Number of the address handle of the broadcast group. */
    static final int BROADCAST = RecordedSubnet.lid(MulticastGid.broadcast(PKEY));

    final SendingHca hca = new SendingHca();
    final RecordedSubnet subnet = new RecordedSubnet();
    final LinkCounters counters = new LinkCounters();
    final LinkSender sender;
    final LinkGroups groups;
    final AddressResolution resolution;
    long nowNanos;

    LinkFixture() throws VerbsException {
        subnet.ports.put(OTHER.gid(), OTHER_LID);
        hca.meanwhile = hca::work;
        sender = new LinkSender(hca.queuePair(), hca, SendingHca.slots(SLOTS, 2048), RecordedSubnet.QKEY, counters);
        groups = new LinkGroups(
                subnet.pd(),
                subnet.administration(),
                subnet.queuePair(),
                sender,
                RecordedSubnet.QKEY,
                MulticastGid.broadcast(PKEY));
        LinkPaths paths = new LinkPaths(subnet.pd(), subnet.administration(), sender);
        resolution = new AddressResolution(
                sender, paths, new DatagramSender(sender, paths), groups, OWN, OWN_IP, PKEY, counters, () -> nowNanos);
    }

    /** A packet of four bytes to a neighbour. */
    void send(IpAddress to, int number) throws VerbsException {
        int slot = sender.take();
        MemorySegment memory = sender.slots().memory();
        Encapsulation.write(memory, sender.slots().offset(slot), Encapsulation.IPV4);
        memory.set(ValueLayout.JAVA_BYTE, sender.slots().offset(slot) + Encapsulation.SIZE_BYTES, (byte) number);
        resolution.send(to, slot, Encapsulation.SIZE_BYTES + 1);
    }

    /** An ARP message comes. */
    void receive(ArpMessage message, int sourceQpn) {
        MemorySegment memory = MemorySegment.ofArray(new byte[ArpMessage.SIZE_BYTES]);
        message.write(memory, 0);
        resolution.arp(memory, 0, ArpMessage.SIZE_BYTES, sourceQpn);
    }

    /**
     * What was sent since the last call: to which handle and queue pair, and what.
     *
     * @return such as {@code 9 22 arp 2 10.1.0.1}, {@code 9 22 0800 07}
     */
    List<String> sent() throws VerbsException {
        sender.flush();
        List<String> sent = new ArrayList<>();
        for (List<Request> batch : hca.batches) {
            for (Request request : batch) {
                sent.add(Integer.toHexString(request.handle()) + " " + Integer.toHexString(request.qpn()) + " "
                        + frame(request));
            }
        }
        hca.batches.clear();
        sender.drain();
        return sent;
    }

    private String frame(Request request) {
        MemorySegment memory = sender.slots().memory();
        long at = request.address() - SendingHca.ADDRESS;
        int type = Encapsulation.type(memory, at);
        long packet = at + Encapsulation.SIZE_BYTES;
        long bytes = request.lengthBytes() - Encapsulation.SIZE_BYTES;
        if (type == Encapsulation.ARP) {
            ArpMessage message = ArpMessage.decode(memory, packet, bytes).orElseThrow();
            return "arp " + message.operation() + " " + message.targetAddress();
        }
        byte[] content = memory.asSlice(packet, bytes).toArray(ValueLayout.JAVA_BYTE);
        return HexFormat.of().toHexDigits((short) type) + " " + HexFormat.of().formatHex(content);
    }
}
