package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.ArpMessage;
import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.upper.ipoib.frame.MulticastGid;
import io.hyperverbs.upper.ipoib.frame.NeighbourMessage;
import io.hyperverbs.upper.ipoib.neighbour.DropReason;
import io.hyperverbs.upper.ipoib.neighbour.NeighbourActions;
import io.hyperverbs.upper.ipoib.neighbour.NeighbourTable;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Who has which IP address on the link: ARP for IPv4, neighbour discovery for IPv6, and packets that wait for an answer
 * (RFC 4391 §9). For whoever holds the link's lock, who also flushes the sender.
 *
 * <p>A message that names another queue pair as its sender's than it came from is dropped: the HCA writes where a
 * datagram comes from. Which IP addresses a node may claim nobody checks, as on any link of this kind.
 */
final class AddressResolution implements NeighbourActions {
    private static final int NEIGHBOURS = 1024;

    private final NeighbourTable table = new NeighbourTable(NEIGHBOURS, this);
    private final LinkSender sender;
    private final LinkPaths paths;
    private final NeighbourSender packets;
    private final LinkGroups groups;
    private final HardwareAddress own;
    private final IpAddress ipv4;
    private final int pkey;
    private final LinkCounters counters;
    private final LongSupplier clock;
    private final int[] lengths;
    private Set<IpAddress> ipv6 = Set.of();
    private final Set<IpAddress> doubled = new HashSet<>();

    /**
     * @param packets by which packets go whose neighbour's address is known
     * @param own this node's hardware address
     * @param ipv4 its IPv4 address
     */
    AddressResolution(
            LinkSender sender,
            LinkPaths paths,
            NeighbourSender packets,
            LinkGroups groups,
            HardwareAddress own,
            IpAddress ipv4,
            int pkey,
            LinkCounters counters,
            LongSupplier clock) {
        this.sender = sender;
        this.paths = paths;
        this.packets = packets;
        this.groups = groups;
        this.own = own;
        this.ipv4 = ipv4;
        this.pkey = pkey;
        this.counters = counters;
        this.clock = clock;
        this.lengths = new int[sender.slots().count()];
    }

    /** These are this node's IPv6 addresses from now on. */
    void own(Set<IpAddress> addresses) {
        ipv6 = Set.copyOf(addresses);
    }

    /** Sends a packet to a neighbour: now, or when its hardware address is there, or not at all. */
    void send(IpAddress neighbour, int slot, int lengthBytes) {
        HardwareAddress hardware = table.find(neighbour, clock.getAsLong());
        lengths[slot] = lengthBytes;
        if (hardware != null) {
            transmit(slot, hardware);
        } else if (sender.free() < sender.slots().count() / 2) {
            // Packets that wait must not take the room of those that can go.
            drop(slot, DropReason.QUEUE_FULL);
        } else {
            table.await(neighbour, slot, clock.getAsLong());
        }
    }

    /** Says this node's address to all, so that who had it of a queue pair before takes the new one (RFC 5227 §2.3). */
    void announce() throws VerbsException {
        sendArp(ArpMessage.announcement(own, ipv4), groups.broadcast(), HardwareAddress.MULTICAST_QPN);
    }

    /** As of {@link NeighbourTable#due}. */
    long due() {
        return table.due(clock.getAsLong());
    }

    void advance() {
        int _ = table.advance(clock.getAsLong());
    }

    /** An ARP message came. */
    void arp(MemorySegment memory, long at, long lengthBytes, int sourceQpn) {
        ArpMessage message = ArpMessage.decode(memory, at, lengthBytes).orElse(null);
        if (message == null) {
            counters.count(LinkCounters.Drop.MALFORMED);
            return;
        }
        if (isForged(message.sender(), sourceQpn) || isDoubled(message.senderAddress(), message.sender())) {
            return;
        }
        boolean isForUs = message.targetAddress().equals(ipv4) && !message.isAnnouncement();
        if (isForUs && message.operation() == ArpMessage.REQUEST) {
            table.requested(message.senderAddress(), message.sender(), clock.getAsLong());
            reply(message);
        } else if (isForUs) {
            boolean _ = table.replied(message.senderAddress(), message.sender(), clock.getAsLong());
        } else {
            boolean _ = table.announced(message.senderAddress(), message.sender(), clock.getAsLong());
        }
    }

    private void reply(ArpMessage request) {
        try {
            sendArp(
                    request.reply(own),
                    paths.to(request.sender()),
                    request.sender().qpn());
        } catch (VerbsException e) {
            counters.count(LinkCounters.Drop.UNREACHABLE);
        }
    }

    /** A neighbour solicitation or advertisement came, from the first byte of its IPv6 header. */
    void discovery(MemorySegment memory, long at, long lengthBytes, int sourceQpn) {
        NeighbourMessage message =
                NeighbourMessage.decode(memory, at, lengthBytes).orElse(null);
        if (message == null) {
            counters.count(LinkCounters.Drop.MALFORMED);
            return;
        }
        HardwareAddress hardware = message.hardware();
        if (hardware == null) {
            return;
        }
        // Whose hardware address it is.
        IpAddress subject = message.isSolicitation() ? message.source() : message.target();
        if (isForged(hardware, sourceQpn) || isDoubled(subject, hardware)) {
            return;
        }
        if (message.isSolicitation() && ipv6.contains(message.target())) {
            table.requested(message.source(), hardware, clock.getAsLong());
            answer(message, hardware);
        } else if (message.isSolicited() && ipv6.contains(message.destination())) {
            boolean _ = table.replied(message.target(), hardware, clock.getAsLong());
        } else {
            boolean _ = table.announced(subject, hardware, clock.getAsLong());
        }
    }

    private void answer(NeighbourMessage solicitation, HardwareAddress to) {
        try {
            sendDiscovery(solicitation.advertisement(own), paths.to(to), to.qpn());
        } catch (VerbsException e) {
            counters.count(LinkCounters.Drop.UNREACHABLE);
        }
    }

    private boolean isForged(HardwareAddress claimed, int sourceQpn) {
        if (claimed.qpn() == sourceQpn) {
            return false;
        }
        counters.count(LinkCounters.Drop.FORGED);
        return true;
    }

    /** Whether another node says that it has an address of this one; said once, as users have to mend it. */
    private boolean isDoubled(IpAddress claimed, HardwareAddress by) {
        if (!claimed.equals(ipv4) && !ipv6.contains(claimed)) {
            return false;
        }
        if (doubled.add(claimed)) {
            System.err.println("address " + claimed + " is also that of the node at " + by);
        }
        return true;
    }

    @Override
    public void solicitByMulticast(IpAddress target) {
        try {
            if (target.isIpv4()) {
                sendArp(ArpMessage.request(own, ipv4, target), groups.broadcast(), HardwareAddress.MULTICAST_QPN);
                return;
            }
            AddressHandle group = groups.handle(MulticastGid.of(target.solicitedNode(), pkey), clock.getAsLong());
            if (group != null) {
                sendDiscovery(
                        NeighbourMessage.solicitation(own, linkLocal(), target), group, HardwareAddress.MULTICAST_QPN);
            }
        } catch (VerbsException e) {
            // It is repeated.
            counters.count(LinkCounters.Drop.NOT_SENT);
        }
    }

    @Override
    public void solicitByUnicast(IpAddress target, HardwareAddress hardware) {
        try {
            AddressHandle path = paths.to(hardware);
            if (target.isIpv4()) {
                sendArp(ArpMessage.request(own, ipv4, target), path, hardware.qpn());
            } else {
                sendDiscovery(NeighbourMessage.probe(own, linkLocal(), target), path, hardware.qpn());
            }
        } catch (VerbsException e) {
            counters.count(LinkCounters.Drop.NOT_SENT);
        }
    }

    /** What solicitations come from. */
    private IpAddress linkLocal() {
        return ipv6.stream().filter(IpAddress::isLinkLocal).findFirst().orElse(IpAddress.UNSPECIFIED);
    }

    @Override
    public void transmit(int packet, HardwareAddress hardware) {
        try {
            packets.send(packet, lengths[packet], hardware);
        } catch (VerbsException e) {
            // The port is gone; so will be its entry, as nobody answers the next probe.
            drop(packet, DropReason.UNREACHABLE);
        }
    }

    @Override
    public void drop(int packet, DropReason reason) {
        counters.count(LinkCounters.Drop.UNREACHABLE);
        sender.release(packet);
    }

    private void sendArp(ArpMessage message, AddressHandle to, int qpn) throws VerbsException {
        Body body = (memory, at) -> {
            message.write(memory, at);
            return ArpMessage.SIZE_BYTES;
        };
        sendFrame(Encapsulation.ARP, body, to, qpn);
    }

    private void sendDiscovery(NeighbourMessage message, AddressHandle to, int qpn) throws VerbsException {
        sendFrame(Encapsulation.IPV6, message::write, to, qpn);
    }

    /** What stands behind an encapsulation. */
    private interface Body {
        /** Writes it, and returns its bytes. */
        int write(MemorySegment memory, long at);
    }

    private void sendFrame(int type, Body body, AddressHandle to, int qpn) throws VerbsException {
        int slot = sender.take();
        MemorySegment memory = sender.slots().memory();
        long at = sender.slots().offset(slot);
        Encapsulation.write(memory, at, type);
        int bytes = body.write(memory, at + Encapsulation.SIZE_BYTES);
        sender.send(slot, Encapsulation.SIZE_BYTES + bytes, to, qpn);
    }
}
