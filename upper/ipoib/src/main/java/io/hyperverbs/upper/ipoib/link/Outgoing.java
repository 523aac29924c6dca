package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.InternetChecksum;
import io.hyperverbs.upper.ipoib.frame.IpAddress;
import io.hyperverbs.upper.ipoib.frame.IpPacket;
import io.hyperverbs.upper.ipoib.frame.MulticastGid;
import io.hyperverbs.upper.ipoib.frame.TcpSegmenter;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.verbs.ip.PacketOffload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Takes packets from the interface and sends each to its neighbour or group. For whoever holds the link's lock. */
final class Outgoing {
    /** Between two looks at what else is to be done. */
    private static final int BATCH = 32;

    private final IpInterface device;
    private final LinkSender sender;
    private final LinkGroups groups;
    private final AddressResolution resolution;
    private final int pkey;
    private final LinkCounters counters;
    private final int datagramBytes;
    private final LongSupplier clock;
    private final int networkMask;
    private final PacketOffload left = new PacketOffload();
    private final TcpSegmenter segmenter = new TcpSegmenter();

    /** For packets that are to be cut; null where the interface cuts them itself. */
    private final @Nullable MemorySegment uncut;

    private boolean sawReport;

    /**
     * For an interface.
     *
     * @param datagramBytes of the longest frame that goes as a datagram, as those to groups do
     */
    Outgoing(
            IpInterface device,
            LinkSender sender,
            LinkGroups groups,
            AddressResolution resolution,
            int pkey,
            LinkCounters counters,
            int datagramBytes,
            LongSupplier clock) {
        this.device = device;
        this.sender = sender;
        this.groups = groups;
        this.resolution = resolution;
        this.pkey = pkey;
        this.counters = counters;
        this.datagramBytes = datagramBytes;
        this.clock = clock;
        this.uncut = device.leavesSegments() ? Arena.ofAuto().allocate(IpInterface.MOST_BYTES) : null;
        this.networkMask = -1 << (Integer.SIZE - device.prefixLength());
    }

    /**
     * Sends what the interface has now, some of it.
     *
     * @return whether there may be more
     */
    boolean carry() throws IOException, VerbsException {
        // Whether there is room for packets that wait is asked below; slots of connections come back by no other way.
        boolean _ = sender.reclaim(Duration.ZERO);
        int count = 0;
        int sent = 1;
        while (count < BATCH && sent > 0) {
            sent = uncut == null ? carryOne() : carryCut(uncut);
            count += sent;
        }
        sender.flush();
        return sent > 0;
    }

    /** Whether sockets have joined or left groups since this was asked last. */
    boolean sawMembershipReport() {
        boolean saw = sawReport;
        sawReport = false;
        return saw;
    }

    /** Takes a packet and sends it; 0 if there was none. */
    private int carryOne() throws IOException, VerbsException {
        int slot = sender.take();
        MemorySegment memory = sender.slots().memory();
        long packet = packet(slot);
        int bytes = device.take(memory.asSlice(packet, device.mtuBytes()), left);
        if (bytes == 0) {
            sender.release(slot);
            return 0;
        }
        if (isUsable(memory, packet, bytes)) {
            send(slot, bytes);
        } else {
            counters.count(LinkCounters.Drop.MALFORMED);
            sender.release(slot);
        }
        return 1;
    }

    /** The same for one that may be longer than a frame; how many it has become. */
    private int carryCut(MemorySegment room) throws IOException, VerbsException {
        int bytes = device.take(room, left);
        if (bytes == 0) {
            return 0;
        }
        if (left.holdsSegments()) {
            return IpPacket.isWellFormed(room, 0, bytes) ? sendSegments(room) : malformed();
        }
        if (bytes > device.mtuBytes() || !isUsable(room, 0, bytes)) {
            return malformed();
        }
        int slot = sender.take();
        MemorySegment.copy(room, 0, sender.slots().memory(), packet(slot), bytes);
        send(slot, bytes);
        return 1;
    }

    private int malformed() {
        counters.count(LinkCounters.Drop.MALFORMED);
        return 1;
    }

    private int sendSegments(MemorySegment room) throws VerbsException {
        if (!segmenter.begin(room, 0, left, device.mtuBytes())) {
            return malformed();
        }
        int count = 0;
        while (segmenter.hasNext()) {
            int slot = sender.take();
            send(slot, segmenter.next(sender.slots().memory(), packet(slot)));
            count++;
        }
        return count;
    }

    /** Whether it is a packet; its checksum is there then. */
    private boolean isUsable(MemorySegment memory, long packet, int bytes) {
        return IpPacket.isWellFormed(memory, packet, bytes)
                && (!left.lacksChecksum()
                        || InternetChecksum.complete(
                                memory, packet, bytes, left.checksumStart(), left.checksumField()));
    }

    private long packet(int slot) {
        return sender.slots().offset(slot) + Encapsulation.SIZE_BYTES;
    }

    private void send(int slot, int bytes) throws VerbsException {
        MemorySegment memory = sender.slots().memory();
        long packet = packet(slot);
        Encapsulation.write(memory, packet - Encapsulation.SIZE_BYTES, IpPacket.type(memory, packet));
        IpAddress to = IpPacket.destination(memory, packet);
        int length = Encapsulation.SIZE_BYTES + bytes;
        boolean isBroadcast = isBroadcast(to);
        if ((isBroadcast || to.isMulticast()) && length > datagramBytes) {
            // Nobody answers for a group (RFC 1122 §3.2.2).
            counters.count(LinkCounters.Drop.TOO_LONG);
            sender.release(slot);
        } else if (isBroadcast) {
            sender.send(slot, length, groups.broadcast(), HardwareAddress.MULTICAST_QPN);
        } else if (to.isMulticast()) {
            sawReport |= IpPacket.isMembershipReport(memory, packet, bytes);
            toGroup(to, slot, length);
        } else {
            resolution.send(to, slot, length);
        }
    }

    private boolean isBroadcast(IpAddress to) {
        return to.isIpv4()
                && (to.ipv4() | networkMask) == -1
                && (to.isBroadcast() || ((to.ipv4() ^ device.address()) & networkMask) == 0);
    }

    private void toGroup(IpAddress group, int slot, int length) throws VerbsException {
        AddressHandle handle = groups.handle(MulticastGid.of(group, pkey), clock.getAsLong());
        if (handle == null) {
            counters.count(LinkCounters.Drop.NO_GROUP);
            sender.release(slot);
        } else {
            sender.send(slot, length, handle, HardwareAddress.MULTICAST_QPN);
        }
    }
}
