package io.hyperverbs.hca.link;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.hca.link.LinkDraw.Cause;

/**
 * One link, or a port as a whole: what its settings and its dice do to each packet, and how many met which fate. Engine
 * thread only; allocates nothing for a packet.
 */
final class ImpairedLink {
    /** How long a packet is held back that others overtake. */
    static final long REORDER_NANOS = 50_000;

    private static final int ECN = 3;

    private final ContextMemory contexts;
    private final long entry;
    private final int port;
    private final int address;
    private final LinkQueue queue = new LinkQueue();
    private LinkSettings settings = LinkSettings.none();
    private LinkDraw draw;
    private long lastOutNanos = Long.MIN_VALUE;

    /**
     * @param entry its {@link LinkContextLayout} in the context memory
     * @param address of the other port; 0 for the port as a whole
     */
    ImpairedLink(ContextMemory contexts, long entry, int port, int address) {
        this.contexts = contexts;
        this.entry = entry;
        this.port = port;
        this.address = address;
        this.draw = new LinkDraw(0, port, address);
        LinkContextLayout.set(contexts.memory(), entry, Field.ADDRESS, address);
        LinkContextLayout.publishRelease(contexts.memory(), entry, port);
    }

    int port() {
        return port;
    }

    int address() {
        return address;
    }

    LinkSettings settings() {
        return settings;
    }

    /** From the next packet on. The dice go on where they are, unless there is another seed. */
    void settings(LinkSettings changed) {
        if (changed.seed() != settings.seed()) {
            draw = new LinkDraw(changed.seed(), port, address);
        }
        settings = changed;
        queue.settings(changed.queue());
        changed.write(contexts.memory(), entry);
    }

    /** Nothing is queued or under way any more. */
    void forgetUnderWay() {
        lastOutNanos = Long.MIN_VALUE;
        queue.empty();
    }

    /** A packet came; whether it is lost, and counted as such. */
    boolean loses() {
        draw.next();
        count(Field.PACKETS);
        if (settings.isDown()) {
            count(Field.DOWN_DROPS, Counter.LINK_DOWN_DROPS);
            return true;
        }
        if (draw.hits(Cause.LOSS, settings.loss())) {
            count(Field.LOSSES, Counter.LINK_LOSSES);
            return true;
        }
        return false;
    }

    /** Whether it comes twice. */
    boolean doubles() {
        return isHit(Cause.DUPLICATE, settings.duplicate(), Field.DUPLICATES, Counter.LINK_DUPLICATES);
    }

    /** Which bit of so many bytes is flipped, or -1. */
    long flippedBit(int bytes) {
        return isHit(Cause.CORRUPT, settings.corrupt(), Field.CORRUPTIONS, Counter.LINK_CORRUPTIONS)
                ? draw.below(Cause.BIT, 8L * bytes)
                : -1;
    }

    private boolean isHit(Cause cause, int share, Field field, Counter counter) {
        if (!draw.hits(cause, share)) {
            return false;
        }
        count(field, counter);
        return true;
    }

    /** Whether its queue takes a packet; one that it does not take is counted. */
    boolean hasRoom(int bytes, long atNanos) {
        boolean hasRoom = queue.hasRoom(bytes, atNanos);
        LinkContextLayout.set(contexts.memory(), entry, Field.QUEUED_BYTES, queue.queuedBytes());
        if (!hasRoom) {
            count(Field.QUEUE_DROPS, Counter.LINK_QUEUE_DROPS);
        }
        return hasRoom;
    }

    /** The traffic class of a packet that its queue took: marked, if the queue is long and the packet capable of it. */
    int marked(int trafficClass) {
        boolean isCapable = (trafficClass & ECN) == 1 || (trafficClass & ECN) == 2;
        if (!isCapable || !queue.marks(draw)) {
            return trafficClass;
        }
        count(Field.MARKS, Counter.LINK_MARKS);
        return trafficClass | ECN;
    }

    /** When a packet is out of its queue, which took it, and over the link. */
    long outNanos(int bytes, long atNanos, boolean isCopy) {
        long sent = queue.sendNanos(bytes, atNanos);
        long out =
                Math.max(sent, sent + settings.delayNanos() + jitterNanos(isCopy ? Cause.COPY_JITTER : Cause.JITTER));
        if (!isCopy && isHit(Cause.REORDER, settings.reorder(), Field.REORDERINGS, Counter.LINK_REORDERINGS)) {
            return Math.max(out, lastOutNanos) + REORDER_NANOS;
        }
        lastOutNanos = Math.max(out, lastOutNanos);
        return lastOutNanos;
    }

    private long jitterNanos(Cause cause) {
        long jitter = settings.jitterNanos();
        return jitter == 0 ? 0 : draw.below(cause, 2 * jitter + 1) - jitter;
    }

    /** A packet was dropped, as there is no memory for more that are under way. */
    void dropDelayed() {
        count(Field.DELAY_DROPS, Counter.LINK_DELAY_DROPS);
    }

    private void count(Field field, Counter counter) {
        contexts.count(counter);
        count(field);
    }

    private void count(Field field) {
        LinkContextLayout.count(contexts.memory(), entry, field);
    }
}
