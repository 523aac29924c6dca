package io.hyperverbs.backend.forwarded;

import io.hyperverbs.hca.cq.Moderation;
import io.hyperverbs.hca.layout.CompletionRings;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ProtocolViolation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The backend's end of a forwarded completion ring. Indexes are free running and wrap at 2^32:
 * entries from {@code consumer}, which the domain has taken, to {@code sent} are on their way.
 * Methods exclude each other.
 *
 * <p>With a stream the arm word of the ring is the pump's, which sleeps by it; what the domain
 * armed is judged here, where each completion passes anyway. With unary calls nothing passes here
 * unasked, so the domain's arm goes to the HCA.
 */
public final class ForwardedCq {
    /** Entries in one message: far below the 64 KiB that a channel takes. */
    static final int MAX_BATCH = 256;

    private final MemorySegment machine;
    private final Doorbell doorbell;
    private final int slot;
    private final LongConsumer event;
    private final LongSupplier nanoTime;
    private final Moderation moderation = new Moderation();
    private long ring;
    private int entries;
    private boolean periodRuns;
    private long periodEndNanos;
    private int told;
    private long handle;
    private int consumer;
    private int sent;
    private int armNumber;
    private boolean armed;
    private boolean armedSolicitedOnly;
    private int armedFrom;
    private boolean closed;

    /**
     * @param ring machine address of the ring memory
     * @param entries power of two
     * @param slot doorbell slot
     * @param event takes the handle when an armed queue got a completion
     */
    public ForwardedCq(MemorySegment machine, long ring, int entries, Doorbell doorbell, int slot, LongConsumer event) {
        this(machine, ring, entries, doorbell, slot, event, System::nanoTime);
    }

    /** With a clock of the caller's for the period of {@link #moderate}. */
    ForwardedCq(
            MemorySegment machine,
            long ring,
            int entries,
            Doorbell doorbell,
            int slot,
            LongConsumer event,
            LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.machine = machine;
        this.ring = ring;
        this.entries = entries;
        this.doorbell = doorbell;
        this.slot = slot;
        this.event = event;
    }

    /** Its handle, once it has one. */
    public synchronized void handle(long given) {
        this.handle = given;
    }

    /** What is new since the last call, at most {@link #MAX_BATCH}; null if nothing. */
    synchronized @Nullable CompletionBatch takeNew() {
        int count = closed ? 0 : validFrom(sent, MAX_BATCH);
        if (periodRuns && periodEndNanos - nanoTime.getAsLong() <= 0) {
            announce();
        }
        if (count == 0) {
            return null;
        }
        CompletionBatch batch = new CompletionBatch(handle, sent, copy(sent, count));
        sent += count;
        fireIfArmed();
        return batch;
    }

    /** Sends again what the domain has not taken: its stream is another one. */
    synchronized void rewind() {
        sent = consumer;
    }

    /** The HCA raises an event at the next completion that {@link #takeNew} has not given yet. */
    synchronized void armForPump() {
        if (!closed) {
            CqHeaderLayout.armRelease(machine, ring, false, ++armNumber, sent);
            doorbell.ring(slot);
        }
    }

    /** The domain took all completions before {@code index}. */
    public synchronized void consumed(int index) {
        if (!closed && !isLate(index)) {
            take(index);
        }
        told = index;
    }

    private void take(int index) {
        if (Integer.compareUnsigned(index - consumer, sent - consumer) > 0) {
            throw new ProtocolViolation("consumer index "
                    + Integer.toUnsignedString(index)
                    + " of CQ "
                    + handle
                    + ", sent up to "
                    + Integer.toUnsignedString(sent));
        }
        consumer = index;
        CqHeaderLayout.consumerIndexRelease(machine, ring, index);
    }

    /** The domain asks for one event, for a completion from {@code index} on. */
    public synchronized void armForStream(boolean solicitedOnly, int index) {
        boolean late = isLate(index);
        consumed(index);
        // Arming for any completion is not narrowed by a later arm for solicited ones.
        armedSolicitedOnly = solicitedOnly && (!armed || armedSolicitedOnly);
        armed = true;
        armedFrom = index;
        periodRuns = false;
        int _ = moderation.clear();
        if (late) {
            // What it would tell of was taken meanwhile.
            announce();
        }
        fireIfArmed();
    }

    /** The same with unary calls: the HCA itself raises the event. */
    public synchronized void armForCalls(boolean solicitedOnly, int index) {
        consumed(index);
        if (!closed) {
            CqHeaderLayout.armRelease(machine, ring, solicitedOnly, ++armNumber, index);
            doorbell.ring(slot);
        }
    }

    /** Unary calls: the valid entries from {@code index} on, at most {@code max}. */
    public synchronized CompletionBatch poll(int index, int max) {
        // What lies before the index was given by an earlier call.
        consumed(index);
        int count = closed || max <= 0 ? 0 : validFrom(index, Math.min(max, MAX_BATCH));
        if (index + count - sent > 0) {
            sent = index + count;
        }
        return new CompletionBatch(handle, index, copy(index, count));
    }

    /** With a stream: sets when an armed queue gives its event; 0 and 0 for at once. */
    public synchronized void moderate(int count, int periodMicros) {
        moderation.set(count, periodMicros);
        periodRuns = false;
        int waited = moderation.clear();
        if (armed && waited > 0) {
            count(waited);
        }
    }

    /** Nanoseconds until the period of an armed queue ends; {@code Long.MAX_VALUE} if none runs. */
    public synchronized long nanosToPeriodEnd() {
        return periodRuns ? Math.max(0, periodEndNanos - nanoTime.getAsLong()) : Long.MAX_VALUE;
    }

    /**
     * Has the HCA {@code move} into other memory, and takes what is not sent yet along.
     *
     * @param newRing machine address of memory for {@code newEntries}
     * @param index completions that the domain has taken
     * @return what the HCA says; nothing is changed unless SUCCESS
     */
    public synchronized VerbsStatus resize(long newRing, int newEntries, int index, Supplier<VerbsStatus> move) {
        if (closed) {
            return VerbsStatus.EINVAL;
        }
        take(index);
        CqHeaderLayout.copy(machine, ring, machine, newRing);
        VerbsStatus status = move.get();
        if (status == VerbsStatus.SUCCESS) {
            CompletionRings.copy(machine, ring, entries, machine, newRing, newEntries, consumer);
            ring = newRing;
            entries = newEntries;
        }
        return status;
    }

    /** After it returns the ring is not touched any more. */
    public synchronized void close() {
        closed = true;
    }

    private void fireIfArmed() {
        while (armed && sent - armedFrom > 0) {
            long cqe = cqe(armedFrom++);
            if (!armedSolicitedOnly
                    || CqeLayout.statusCode(machine, cqe) != 0
                    || (CqeLayout.flags(machine, cqe) & CqeLayout.FLAG_SOLICITED) != 0) {
                count(1);
            }
        }
    }

    private void count(int completions) {
        switch (moderation.add(completions)) {
            case DUE -> announce();
            case BEGIN -> {
                periodRuns = true;
                periodEndNanos = nanoTime.getAsLong() + moderation.periodNanos();
            }
            case WAIT -> {}
        }
    }

    private void announce() {
        armed = false;
        armedSolicitedOnly = false;
        periodRuns = false;
        int _ = moderation.clear();
        event.accept(handle);
    }

    // A resize says by itself what was taken: messages that say less may arrive after it.
    private boolean isLate(int index) {
        return index - consumer < 0 && index - told >= 0;
    }

    private int validFrom(int index, int max) {
        int bound = Math.min(max, entries - (index - consumer));
        int count = 0;
        while (count < bound && CqeLayout.sequenceAcquire(machine, cqe(index + count)) == index + count + 1) {
            count++;
        }
        return count;
    }

    private byte[] copy(int index, int count) {
        byte[] bytes = new byte[count * (int) CqeLayout.SIZE_BYTES];
        for (int i = 0; i < count; i++) {
            MemorySegment.copy(
                    machine, ValueLayout.JAVA_BYTE, cqe(index + i), bytes, i * (int) CqeLayout.SIZE_BYTES, (int)
                            CqeLayout.SIZE_BYTES);
        }
        return bytes;
    }

    private long cqe(int index) {
        return ring + CqHeaderLayout.SIZE_BYTES + (index & (entries - 1)) * CqeLayout.SIZE_BYTES;
    }
}
