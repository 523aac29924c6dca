package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.capture.CapturedPacket;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.link.PacketArrivals;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.wire.Icrc;

/**
 * What arrives at one port: batches cut into packets, each checked by its ICRC. Of a long batch some are left for the
 * next look, so that whoever floods the port does not keep the engine from its queue pairs, and {@link UnpaidTime} says
 * how long that is put off. Engine thread only.
 */
final class PortIngress {
    /**
     * Packets that no domain pays for between two looks at anything else. There is no such limit for others: a turn
     * must be able to take as many as it sends.
     */
    static final int MOST_UNPAID = 128;

    /** The same while queue pairs have work, so that pauses are short. */
    private static final int MOST_UNPAID_OF_BUSY = 32;

    /** Packets of a look that may take time from queue pairs that are not in line yet. */
    private static final int MANY = 8;

    /** What others may be due for one look while they have work: less than the lead that the arbiter charges for. */
    private static final long MOST_OWED_NANOS = 50_000;

    private final PacketArrivals packets;
    private final int port;
    private final Dispatch dispatch;
    private final ContextMemory contexts;
    private final CapturePoint capture;
    private final UnpaidTime unpaidTime;
    private final Icrc icrc;
    private final Arrival arrival;
    // The batch, and where in it the next packet begins.
    private int buffers;
    private int buffer;
    private int sourcePort;
    private int segmentBytes;
    private int segment;
    private long at;
    private int left;
    // Of the look under way.
    private int unpaid;
    private long unpaidCost;
    private long paidCost;
    /** The last look found what pauses are for, or may be: the next one is measured, and put off. */
    private boolean isWatched;

    PortIngress(
            PacketArrivals packets,
            int port,
            Dispatch dispatch,
            ContextMemory contexts,
            CapturePoint capture,
            UnpaidTime unpaidTime) {
        this.packets = packets;
        this.port = port;
        this.dispatch = dispatch;
        this.contexts = contexts;
        this.capture = capture;
        this.unpaidTime = unpaidTime;
        this.icrc = new Icrc(packets.arrived());
        this.arrival = new Arrival(packets.arrived());
    }

    /**
     * Takes what is there, at most a batch, and at most {@link #MOST_UNPAID} that no domain pays for.
     *
     * @param isBusy whether queue pairs have work
     * @return how many packets
     */
    int receive(long nowNanos, boolean isBusy, Wire.Confinement confinement) {
        long begin = isWatched ? unpaidTime.time(nowNanos) : 0;
        if (!isInBatch()) {
            buffers = packets.receive(nowNanos);
            buffer = 0;
        }
        int most = isBusy ? MOST_UNPAID_OF_BUSY : MOST_UNPAID;
        long mostOwed = isBusy ? MOST_OWED_NANOS : Long.MAX_VALUE;
        int count = 0;
        unpaid = 0;
        unpaidCost = 0;
        paidCost = 0;
        while (unpaid < most && dispatch.owed() < mostOwed && isInBatch()) {
            next(nowNanos, confinement);
            count++;
        }
        account(begin, nowNanos);
        isWatched |= count >= MANY;
        return count;
    }

    // Without a flood this is two comparisons.
    private void account(long begin, long nowNanos) {
        long owed = dispatch.takeOwed();
        if (unpaid > 0 || owed > 0) {
            long took = isWatched ? unpaidTime.took(unpaidCost, paidCost, begin) : unpaidCost;
            unpaidTime.spent(took, owed, nowNanos);
        }
        isWatched = unpaid > 0 || owed > 0;
    }

    /** Whether the last look found packets that pauses are for. */
    boolean isWatched() {
        return isWatched;
    }

    /** Whether packets of a batch are left, which are lost if nobody {@link #receive}s them. */
    boolean isInBatch() {
        return buffer < buffers;
    }

    /** Nanoseconds until something is there that has come already. */
    long nanosToNext(long nowNanos) {
        return isInBatch() ? 0 : packets.nanosToNext(nowNanos);
    }

    // Of a buffer, all that its packets have in common.
    private void open(int i) {
        arrival.sourceAddress = packets.sourceAddress(i);
        arrival.destinationAddress = packets.destinationAddress(i);
        arrival.trafficClass = packets.trafficClass(i);
        sourcePort = packets.sourcePort(i);
        at = packets.offset(i);
        left = packets.lengthBytes(i);
        segmentBytes = Math.max(1, packets.segmentBytes(i));
    }

    // A datagram without a byte is one too.
    private void next(long nowNanos, Wire.Confinement confinement) {
        if (segment == 0) {
            open(buffer);
        }
        long offset = at;
        int bytes = Math.min(segmentBytes, left);
        // Linux numbers what it cuts out of one batch, and over a loopback a batch comes whole.
        int identification = segment;
        at += bytes;
        left -= bytes;
        segment++;
        if (left == 0) {
            buffer++;
            segment = 0;
        }
        boolean isPaid = one(offset, bytes, identification, nowNanos, confinement);
        long cost = EngineCost.request(bytes);
        if (isPaid) {
            paidCost += cost;
        } else {
            unpaidCost += cost;
            unpaid++;
        }
    }

    // False if no domain pays for it.
    private boolean one(long offset, int bytes, int identification, long nowNanos, Wire.Confinement confinement) {
        int covered = bytes - Icrc.SIZE_BYTES;
        if (!arrival.parse(offset, covered)) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
            seen(offset, bytes, PacketFate.MALFORMED);
            return false;
        }
        if (!icrc.matches(
                offset,
                covered,
                arrival.sourceAddress,
                arrival.destinationAddress,
                identification,
                sourcePort,
                PacketPort.UDP_PORT)) {
            contexts.count(Counter.RX_ICRC_ENCAPSULATED);
            seen(offset, bytes, PacketFate.BAD_ICRC);
            return false;
        }
        seen(offset, bytes, PacketFate.RECEIVED);
        return dispatch.arrived(arrival, port, nowNanos, confinement);
    }

    private void seen(long offset, int bytes, PacketFate fate) {
        CapturedPacket packet = capture.begin(port, fate);
        if (packet != null) {
            packet.at(packets.arrived(), offset, bytes)
                    .between(arrival.sourceAddress, sourcePort, arrival.destinationAddress);
            packet.trafficClass = arrival.trafficClass;
            capture.take(packet);
        }
    }
}
