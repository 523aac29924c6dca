package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The send side of the link's queue pair of datagrams: slots for packets, each free, taken by the caller or posted. Requests are
 * gathered and go with one doorbell; only the last of a batch is signalled, and its completion frees all before it. For
 * whoever holds the link's lock.
 */
final class LinkSender {
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);

    private final UdQueuePair qp;
    private final CompletionQueue queue;
    private final FrameSlots slots;
    private final int qkey;
    private final LinkCounters counters;
    private final SendPoster poster;
    private final WorkCompletion[] completions = new WorkCompletion[8];

    private final int[] free;
    private int freeCount;

    /** Slots in the order of their posting: a ring; {@code freed} and {@code posted} count since the start. */
    private final int[] order;

    private long freed;
    private long posted;
    private long gathered;

    // The last of the requests that are gathered, which is not in the batch yet.
    private int lastSlot = -1;
    private int lastBytes;
    private int lastHandle;
    private int lastQpn;

    private boolean isBroken;
    private Consumer<WorkCompletion> others = _ -> {};

    LinkSender(UdQueuePair qp, CompletionQueue queue, FrameSlots slots, int qkey, LinkCounters counters) {
        this.qp = qp;
        this.queue = queue;
        this.slots = slots;
        this.qkey = qkey;
        this.counters = counters;
        this.poster = qp.sends();
        this.order = new int[slots.count()];
        this.free = new int[slots.count()];
        for (int i = 0; i < free.length; i++) {
            free[freeCount++] = i;
        }
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /** Whose completions come on the same queue: those of queue pairs that send from these slots too. */
    void others(Consumer<WorkCompletion> completed) {
        others = completed;
    }

    FrameSlots slots() {
        return slots;
    }

    /** Slots that nobody has now. */
    int free() {
        return freeCount;
    }

    /** Waits until the HCA is done with all that was sent: no request names an address handle any more. */
    void drain() throws VerbsException {
        flush();
        while (freed < posted) {
            boolean _ = reclaim(LONGEST_WAIT);
        }
    }

    /** A slot for the caller; waits for one that the HCA is done with. */
    int take() throws VerbsException {
        if (freeCount == 0) {
            boolean _ = reclaim(Duration.ZERO);
        }
        while (freeCount == 0) {
            flush();
            if (freeCount == 0) {
                boolean _ = reclaim(LONGEST_WAIT);
            }
        }
        return free[--freeCount];
    }

    /** Gives back a slot that is not to be sent. */
    void release(int slot) {
        free[freeCount++] = slot;
    }

    /** Sends what is in a slot, from its first byte, with the next {@link #flush}. */
    void send(int slot, int lengthBytes, AddressHandle to, int qpn) {
        put(SendFlags.NONE);
        lastSlot = slot;
        lastBytes = lengthBytes;
        lastHandle = to.number();
        lastQpn = qpn;
    }

    /** Rings the doorbell for all that was sent. */
    void flush() throws VerbsException {
        if (lastSlot < 0) {
            return;
        }
        put(SendFlags.SIGNALLED);
        lastSlot = -1;
        settle();
        VerbsStatus status = poster.post();
        if (status == VerbsStatus.SUCCESS) {
            posted = gathered;
        } else {
            dropBatch();
            isBroken = true;
        }
    }

    /**
     * Takes what has completed. After a failure it waits for the rest too, as a queue pair is repaired when nothing is
     * posted, and a batch that went before that would be flushed like those before it.
     */
    private void settle() throws VerbsException {
        boolean found = reclaim(Duration.ZERO);
        while (isBroken && freed < posted && found) {
            found = reclaim(LONGEST_WAIT);
        }
    }

    /** The queue pair took none of them. */
    private void dropBatch() {
        while (gathered > posted) {
            gathered--;
            release(order[(int) (gathered % order.length)]);
            counters.count(LinkCounters.Drop.NOT_SENT);
        }
    }

    private void put(int flags) {
        if (lastSlot < 0) {
            return;
        }
        if (gathered == posted) {
            SendPoster _ = poster.start();
        }
        order[(int) (gathered % order.length)] = lastSlot;
        gathered++;
        SendPoster _ = poster.send(gathered, flags)
                .to(lastHandle, lastQpn, qkey)
                .sge(slots.lkey(), slots.address(lastSlot), lastBytes);
    }

    /**
     * Takes completions.
     *
     * @return whether there were any
     */
    boolean reclaim(Duration wait) throws VerbsException {
        int found = queue.poll(completions, wait);
        boolean hasFound = found > 0;
        while (found > 0) {
            for (int i = 0; i < found; i++) {
                WorkCompletion completion = completions[i];
                if (completion.qpn() != qp.qpn()) {
                    others.accept(completion);
                    continue;
                }
                if (completion.status() != VerbsStatus.SUCCESS) {
                    counters.count(LinkCounters.Drop.NOT_SENT);
                    isBroken = true;
                }
                while (freed < completion.wrId()) {
                    release(order[(int) (freed % order.length)]);
                    freed++;
                }
            }
            found = queue.poll(completions);
        }
        if (isBroken && freed == posted) {
            isBroken = false;
            repair();
        }
        return hasFound;
    }

    /** A request that failed has stopped the send queue, and those behind it were flushed. */
    private void repair() throws VerbsException {
        if (qp.query().state() == QpState.SQE) {
            qp.modify(QpAttributes.to(QpState.RTS));
        }
    }
}
