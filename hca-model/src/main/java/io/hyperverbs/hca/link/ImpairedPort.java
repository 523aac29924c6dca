package io.hyperverbs.hca.link;

import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals of a port of which a link is impaired. A packet goes through its link (loss, duplicate, bit, queue, delay),
 * then through the port's queue, and is handed out when it is due. Times are those of the packets and not of the calls:
 * a late call finds what an early one would have found. What came as one buffer is taken apart.
 *
 * <pre>
 *   network -> link of the source address -> DelayLine -> queue of the port -> outlet -> HCA
 * </pre>
 *
 * Engine thread only; allocates nothing.
 */
public final class ImpairedPort implements PacketArrivals {
    /** Packets handed out at once. */
    private static final int MOST_AT_ONCE = 256;

    private static final int MASK = PacketSlots.COUNT - 1;

    private final PacketArrivals network;
    private final Links links;
    private final ContextMemory contexts;
    private final LostPackets lost;
    private final ImpairedLink whole;
    private final PacketSlots slots;
    private final DelayLine line;
    // Slots in the order they leave the port's queue.
    private final int[] outlet = new int[PacketSlots.COUNT];
    private int outletFirst;
    private int outletEnd;
    private int handedOut;
    private boolean hasMore;
    private boolean isReleased;

    ImpairedPort(
            PacketArrivals network,
            Links links,
            ContextMemory contexts,
            LostPackets lost,
            ImpairedLink whole,
            PacketSlots slots) {
        this.network = network;
        this.links = links;
        this.contexts = contexts;
        this.lost = lost;
        this.whole = whole;
        this.slots = slots;
        this.line = new DelayLine(slots.timeNanos);
    }

    @Override
    public MemorySegment arrived() {
        return slots.memory;
    }

    @Override
    public int receive(long nowNanos) {
        for (int i = 0; i < handedOut; i++) {
            slots.free(slot(i));
        }
        outletFirst += handedOut;
        handedOut = 0;
        if (!isReleased) {
            takeFromNetwork(nowNanos);
        }
        while (handedOut < MOST_AT_ONCE && outletFirst + handedOut != outletEnd && isDue(slot(handedOut), nowNanos)) {
            handedOut++;
        }
        return handedOut;
    }

    private void takeFromNetwork(long nowNanos) {
        int buffers = network.receive(nowNanos);
        hasMore = buffers > 0;
        for (int i = 0; i < buffers; i++) {
            takeApart(i, nowNanos);
        }
        throughQueue(nowNanos);
    }

    private boolean isDue(int slot, long nowNanos) {
        return slots.timeNanos[slot] <= nowNanos;
    }

    @Override
    public long nanosToNext(long nowNanos) {
        if (hasMore) {
            // A socket that reports once has to be read until nothing is there.
            return 0;
        }
        long next = Long.MAX_VALUE;
        if (outletFirst + handedOut != outletEnd) {
            next = slots.timeNanos[slot(handedOut)] - nowNanos;
        }
        if (!line.isEmpty()) {
            next = Math.min(next, line.firstNanos() - nowNanos);
        }
        return Math.max(0, next);
    }

    private void takeApart(int buffer, long nowNanos) {
        ImpairedLink link = links.find(whole.port(), network.sourceAddress(buffer));
        int segment = Math.max(1, network.segmentBytes(buffer));
        int length = network.lengthBytes(buffer);
        for (int at = 0; at < length; at += segment) {
            arrive(link, buffer, at, Math.min(segment, length - at), nowNanos);
        }
    }

    private void arrive(@Nullable ImpairedLink link, int buffer, int at, int bytes, long nowNanos) {
        if (bytes > PacketSlots.SLOT_BYTES) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
        } else if (link == null) {
            int slot = slot(buffer, at, bytes);
            if (slot == PacketSlots.NONE) {
                whole.dropDelayed();
                lost.packet(network, buffer, at, bytes, PacketFate.DELAY_FULL);
            } else {
                add(slot, nowNanos);
            }
        } else if (!link.loses()) {
            boolean isDoubled = link.doubles();
            enter(link, buffer, at, bytes, nowNanos, false);
            if (isDoubled) {
                enter(link, buffer, at, bytes, nowNanos, true);
            }
        } else {
            lost.packet(network, buffer, at, bytes, link.settings().isDown() ? PacketFate.LINK_DOWN : PacketFate.LOST);
        }
    }

    private void enter(ImpairedLink link, int buffer, int at, int bytes, long nowNanos, boolean isCopy) {
        if (!link.hasRoom(bytes, nowNanos)) {
            lost.packet(network, buffer, at, bytes, PacketFate.QUEUE_FULL);
            return;
        }
        int slot = slot(buffer, at, bytes);
        if (slot == PacketSlots.NONE) {
            link.dropDelayed();
            lost.packet(network, buffer, at, bytes, PacketFate.DELAY_FULL);
            return;
        }
        slots.trafficClass[slot] = link.marked(slots.trafficClass[slot]);
        long bit = isCopy ? -1 : link.flippedBit(bytes);
        if (bit >= 0) {
            long where = PacketSlots.offset(slot) + bit / 8;
            byte was = slots.memory.get(ValueLayout.JAVA_BYTE, where);
            slots.memory.set(ValueLayout.JAVA_BYTE, where, (byte) (was ^ (1 << bit % 8)));
        }
        add(slot, link.outNanos(bytes, nowNanos, isCopy));
    }

    /** A slot with that packet, or {@link PacketSlots#NONE}. */
    private int slot(int buffer, int at, int bytes) {
        int slot = slots.take();
        if (slot != PacketSlots.NONE) {
            MemorySegment.copy(
                    network.arrived(), network.offset(buffer) + at, slots.memory, PacketSlots.offset(slot), bytes);
            slots.lengthBytes[slot] = bytes;
            slots.sourceAddress[slot] = network.sourceAddress(buffer);
            slots.sourcePort[slot] = network.sourcePort(buffer);
            slots.destinationAddress[slot] = network.destinationAddress(buffer);
            slots.trafficClass[slot] = network.trafficClass(buffer);
        }
        return slot;
    }

    private void add(int slot, long outNanos) {
        slots.timeNanos[slot] = outNanos;
        line.add(slot);
    }

    /** What has come out of its link goes through the queue of the port, in the order of time. */
    private void throughQueue(long nowNanos) {
        while (!line.isEmpty() && line.firstNanos() <= nowNanos) {
            int slot = line.take();
            int bytes = slots.lengthBytes[slot];
            long atNanos = slots.timeNanos[slot];
            if (!whole.loses() && whole.hasRoom(bytes, atNanos)) {
                slots.trafficClass[slot] = whole.marked(slots.trafficClass[slot]);
                slots.timeNanos[slot] = whole.outNanos(bytes, atNanos, false);
                put(slot);
            } else {
                // The port as a whole has a queue and nothing else.
                lost.packet(slots, slot, PacketFate.QUEUE_FULL);
                slots.free(slot);
            }
        }
    }

    private void put(int slot) {
        outlet[outletEnd & MASK] = slot;
        outletEnd++;
    }

    /**
     * All that is under way is due now, and nothing more is taken from the network: what arrives there is for whoever
     * receives from it next, once {@link #receive} has handed out the last.
     */
    public void release() {
        isReleased = true;
        hasMore = false;
        links.forgetUnderWay(whole.port());
        while (!line.isEmpty()) {
            put(line.take());
        }
        for (int i = outletFirst + handedOut; i != outletEnd; i++) {
            slots.timeNanos[outlet[i & MASK]] = Long.MIN_VALUE;
        }
    }

    /** Slot of buffer {@code i}, or of one to be handed out later. */
    private int slot(int i) {
        return outlet[(outletFirst + i) & MASK];
    }

    @Override
    public long offset(int i) {
        return PacketSlots.offset(slot(i));
    }

    @Override
    public int lengthBytes(int i) {
        return slots.lengthBytes[slot(i)];
    }

    @Override
    public int segmentBytes(int i) {
        return slots.lengthBytes[slot(i)];
    }

    @Override
    public int sourceAddress(int i) {
        return slots.sourceAddress[slot(i)];
    }

    @Override
    public int sourcePort(int i) {
        return slots.sourcePort[slot(i)];
    }

    @Override
    public int destinationAddress(int i) {
        return slots.destinationAddress[slot(i)];
    }

    @Override
    public int trafficClass(int i) {
        return slots.trafficClass[slot(i)];
    }
}
