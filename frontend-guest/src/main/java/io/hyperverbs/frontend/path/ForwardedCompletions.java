package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A private completion ring that a forwarded channel fills. The channel's thread writes entries, the sequence last
 * with release, as the HCA would; the poller takes them.
 *
 * <p>The backend detects overruns by the consumer index it last received. Sending it at each poll would
 * cost a message each, so the poller sends it only when the requests under way could otherwise fill
 * the ring: entries there, unknown to be taken, plus requests that may still complete, never exceed
 * the capacity.
 */
final class ForwardedCompletions implements CompletionPort, CompletionSink {
    private static final ValueLayout.OfInt SEQUENCE = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long SEQUENCE_OFFSET = CqeLayout.SIZE_BYTES - Integer.BYTES;

    private final CreatedCq cq;
    private final ForwardedChannel channel;
    private volatile int capacity;
    // Guarded by arriving.
    private MemorySegment memory;
    private int mask;
    private final CopyOnWriteArrayList<ForwardedWork> producers = new CopyOnWriteArrayList<>();

    /** Once for each queue pair that takes receives there and completes them here. */
    private final CopyOnWriteArrayList<ForwardedSrq> shared = new CopyOnWriteArrayList<>();

    /** Held while an index is sent, so that indexes leave in order. */
    private final Object sending = new Object();

    /** Held while event and completions are compared. */
    private final Object arriving = new Object();

    private volatile int consumed;
    private volatile int told;
    private int armedFrom;
    private int arrived;
    private boolean held;

    ForwardedCompletions(CreatedCq cq, ForwardedChannel channel) {
        this.cq = cq;
        this.channel = channel;
        this.capacity = cq.ring().capacity();
        this.memory = cq.memory();
        this.mask = capacity - 1;
    }

    void add(ForwardedWork work) {
        producers.addIfAbsent(work);
    }

    /** The requests of {@code work} count no more, so the backend gets the consumer index. */
    void remove(ForwardedWork work) {
        producers.remove(work);
        tell();
    }

    void add(ForwardedSrq srq) {
        shared.add(srq);
    }

    void remove(ForwardedSrq srq) {
        shared.remove(srq);
        tell();
    }

    /** Before {@code count} more requests that may complete here. */
    void makeRoom(int count) {
        int untold = consumed - told;
        if (untold != 0 && underWay() + count + untold > capacity) {
            tell();
        }
    }

    @Override
    public void refill(int max) {
        if (!channel.pushes()) {
            synchronized (sending) {
                told = consumed;
                channel.poll(cq.handle(), told, Math.min(max, capacity));
            }
        }
    }

    @Override
    public void consumed(int consumerIndex) {
        consumed = consumerIndex;
        makeRoom(0);
    }

    @Override
    public VerbsStatus arm(boolean solicitedOnly, int consumerIndex) {
        synchronized (arriving) {
            armedFrom = consumerIndex;
        }
        synchronized (sending) {
            told = consumerIndex;
            return channel.arm(cq.handle(), solicitedOnly, consumerIndex);
        }
    }

    @Override
    public boolean mayAnnounce() {
        synchronized (arriving) {
            // The event channel is another connection: an event may overtake its completion.
            held = channel.pushes() && arrived - armedFrom <= 0;
            return !held;
        }
    }

    @Override
    public void resize(RingMemory other, int entries, Move move) throws VerbsException {
        MemorySegment old = memory();
        int before = capacity;
        // Never smaller than what the backend may send at that time.
        if (entries > before) {
            goOn(other.memory(), entries);
        }
        try {
            synchronized (sending) {
                int taken = consumed;
                move.run(taken);
                told = taken;
            }
        } catch (VerbsException e) {
            if (entries > before) {
                goOn(old, before);
            }
            throw e;
        }
        capacity = entries;
        if (entries <= before) {
            goOn(other.memory(), entries);
        }
    }

    private MemorySegment memory() {
        synchronized (arriving) {
            return memory;
        }
    }

    private void goOn(MemorySegment other, int entries) {
        synchronized (arriving) {
            cq.ring().moveTo(other, entries);
            memory = other;
            mask = entries - 1;
        }
    }

    @Override
    public void close() {
        channel.forget(cq.handle());
    }

    @Override
    public void completions(int firstIndex, ByteBuffer entries) {
        MemorySegment source = MemorySegment.ofBuffer(entries);
        int count = (int) (source.byteSize() / CqeLayout.SIZE_BYTES);
        boolean announce;
        synchronized (arriving) {
            for (int i = 0; i < count; i++) {
                long from = i * CqeLayout.SIZE_BYTES;
                int index = firstIndex + i;
                long cqe = CqHeaderLayout.SIZE_BYTES + (index & mask) * CqeLayout.SIZE_BYTES;
                MemorySegment.copy(source, from, memory, cqe, SEQUENCE_OFFSET);
                CqeLayout.publishRelease(memory, cqe, source.get(SEQUENCE, from + SEQUENCE_OFFSET));
            }
            arrived = firstIndex + count;
            announce = held && count > 0;
            held = held && !announce;
        }
        if (announce) {
            cq.heldEvent().run();
        }
    }

    private void tell() {
        synchronized (sending) {
            int taken = consumed;
            if (taken != told) {
                told = taken;
                channel.consumed(cq.handle(), taken);
            }
        }
    }

    private int underWay() {
        int sum = 0;
        for (ForwardedWork work : producers) {
            sum += work.underWay(this);
        }
        for (ForwardedSrq srq : Set.copyOf(shared)) {
            sum += srq.underWay();
        }
        return sum;
    }
}
