package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.upper.ipoib.frame.TooBigMessage;
import io.hyperverbs.verbs.ip.IpInterface;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Packets that are longer than their way takes: ICMP says to their sockets how long the next ones may be. */
final class TooLongPackets {
    private final IpInterface device;
    private final LinkSender sender;
    private final LinkCounters counters;
    private final MemorySegment message = Arena.ofAuto().allocate(TooBigMessage.MOST_BYTES);

    TooLongPackets(IpInterface device, LinkSender sender, LinkCounters counters) {
        this.device = device;
        this.sender = sender;
        this.counters = counters;
    }

    /** Drops what is in a slot. For whoever holds the link's lock. */
    void drop(int slot, int mtuBytes) {
        counters.count(LinkCounters.Drop.TOO_LONG);
        MemorySegment memory = sender.slots().memory();
        long packet = sender.slots().offset(slot) + Encapsulation.SIZE_BYTES;
        sender.release(slot);
        int bytes = TooBigMessage.write(memory, packet, mtuBytes, message);
        try {
            boolean _ = device.give(message.asSlice(0, bytes));
        } catch (IOException e) {
            // The interface is gone, which whoever takes its next packet says.
        }
    }
}
