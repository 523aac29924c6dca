package io.hyperverbs.hca.cq;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.event.EventSource;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.CqContextLayout;
import io.hyperverbs.hca.layout.CqContextLayout.Field;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.QueueIndexes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One completion queue. Its index, size and arming are private; the guest's consumer index is
 * accepted only between 0 and a ring's length behind the producer. Engine thread only; allocates
 * nothing.
 */
public final class Cq {
    /** What became of a completion. */
    public enum Written {
        DONE,
        /** Written, and an event is due. */
        EVENT,
        /** Written; an event is due when the queue's period has ended, which begins now. */
        MODERATED,
        /** There was no room: the queue is broken from now on. Answered once. */
        OVERRUN,
        /** The queue was broken before; nothing was written. */
        BROKEN
    }

    private final MemorySegment memory;
    private final int number;
    private final int uar;
    private final int slot;
    private final EventSource events;
    private final long context;
    private long ring;
    private int entries;
    private @Nullable Moderation moderation;
    private int producer;
    private int consumer;
    private boolean broken;
    private boolean armedAny;
    private boolean armedSolicited;
    private int seenAny;
    private int seenSolicited;
    private int afterLastSolicited;
    private int queuePairs;
    private int eventsRaised;

    Cq(ContextMemory contexts, int number, int domain, int uar, int slot, long ring, int entries) {
        this.memory = contexts.memory();
        this.ring = ring;
        this.entries = entries;
        this.number = number;
        this.uar = uar;
        this.slot = slot;
        this.events = new EventSource(uar, number);
        this.context = contexts.entry(Table.CQ, number - 1, CqContextLayout.SIZE_BYTES);
        note(Field.DOMAIN, domain);
        note(Field.UAR, uar);
        note(Field.SLOT, slot);
        note(Field.ENTRIES, entries);
        note(Field.RING_ADDRESS, ring);
        note(Field.STATE, 0);
        note(Field.PRODUCER, 0);
        note(Field.ARMED, 0);
        note(Field.ARM_ANY_SEEN, 0);
        note(Field.ARM_SOLICITED_SEEN, 0);
        note(Field.QUEUE_PAIRS, 0);
        note(Field.MODERATION_COUNT, 0);
        note(Field.MODERATION_MICROS, 0);
        note(Field.EVENTS, 0);
        CqContextLayout.publishRelease(memory, context, number);
    }

    public int number() {
        return number;
    }

    public int uar() {
        return uar;
    }

    public int slot() {
        return slot;
    }

    public EventSource events() {
        return events;
    }

    public boolean isBroken() {
        return broken;
    }

    public boolean isUsed() {
        return queuePairs != 0;
    }

    /** A queue pair attaches one of its ends, +1, or detaches it, -1. */
    public void attach(int change) {
        queuePairs += change;
        note(Field.QUEUE_PAIRS, queuePairs);
    }

    void close() {
        CqContextLayout.publishRelease(memory, context, 0);
    }

    /** Writes the next entry; its sequence last. */
    public Written write(Completion completion) {
        if (broken) {
            return Written.BROKEN;
        }
        if (producer - consumer == entries && !hasRoomNow()) {
            broken = true;
            note(Field.STATE, 1);
            return Written.OVERRUN;
        }
        long cqe = ring + CqHeaderLayout.SIZE_BYTES + (producer & (entries - 1)) * CqeLayout.SIZE_BYTES;
        CqeLayout.write(
                memory,
                cqe,
                completion.wrId,
                completion.statusCode,
                completion.opcode,
                completion.byteCount,
                completion.qpn,
                completion.flags | (completion.solicited ? CqeLayout.FLAG_SOLICITED : 0),
                completion.immediate,
                completion.sqHead);
        if (completion.statusCode != 0) {
            CqeLayout.writeFault(
                    memory,
                    cqe,
                    completion.error.vendorError(),
                    completion.error.key(),
                    completion.error.pd(),
                    completion.error.address(),
                    completion.error.lengthBytes());
        } else if (completion.sourceQpn != 0) {
            CqeLayout.writeSource(
                    memory,
                    cqe,
                    completion.sourceQpn,
                    completion.sourceLid,
                    completion.serviceLevel,
                    completion.pkeyIndex);
        }
        producer++;
        CqContextLayout.writeProducer(memory, context, producer);
        CqeLayout.publishRelease(memory, cqe, producer);
        if (completion.solicited) {
            afterLastSolicited = producer;
        }
        return armedAny || (armedSolicited && completion.solicited) ? told(1) : Written.DONE;
    }

    // The armed CQ has completions; its event is pending.
    private Written told(int completions) {
        if (moderation == null) {
            return disarm(Written.EVENT);
        }
        return switch (moderation.add(completions)) {
            case DUE -> disarm(Written.EVENT);
            case BEGIN -> Written.MODERATED;
            case WAIT -> Written.DONE;
        };
    }

    /** Sets when events come; what becomes of the one that is owed. Allocates the first time. */
    public Written moderate(int count, int periodMicros) {
        Moderation now = moderation == null ? new Moderation() : moderation;
        moderation = now;
        now.set(count, periodMicros);
        note(Field.MODERATION_COUNT, count);
        note(Field.MODERATION_MICROS, periodMicros);
        int waited = now.clear();
        return waited == 0 || !(armedAny || armedSolicited) ? Written.DONE : told(waited);
    }

    /** Length of the period, 0 without one. */
    long moderationNanos() {
        return moderation == null ? 0 : moderation.periodNanos();
    }

    /** The period has ended. @return whether the event is due */
    boolean endPeriod() {
        if (moderation == null || !moderation.isWaiting() || !(armedAny || armedSolicited)) {
            return false;
        }
        disarm(Written.EVENT);
        return true;
    }

    /**
     * Goes on in other ring memory, in whose head the guest's indexes are already and whose entries
     * are zero. Completions not yet taken stay in the old memory, for the guest to copy.
     *
     * @return false if they do not fit, or the indexes make no sense; nothing is changed then
     */
    public boolean moveTo(long newRing, int newEntries) {
        int claimed = CqHeaderLayout.consumerIndexAcquire(memory, newRing);
        int unread = QueueIndexes.available(producer, claimed, entries);
        if (broken || unread < 0 || unread > newEntries) {
            return false;
        }
        consumer = claimed;
        ring = newRing;
        entries = newEntries;
        note(Field.RING_ADDRESS, ring);
        note(Field.ENTRIES, entries);
        return true;
    }

    /**
     * Takes arm words that are new, after the queue's doorbell. Arming for solicited completions
     * does not narrow an arming for any.
     *
     * @return EVENT or MODERATED if what was waited for is there already
     */
    public Written takeArms() {
        long any = CqHeaderLayout.armAcquire(memory, ring, false);
        int due = 0;
        if (CqHeaderLayout.armNumber(any) != seenAny) {
            seenAny = CqHeaderLayout.armNumber(any);
            note(Field.ARM_ANY_SEEN, seenAny);
            armedAny = true;
            countAnew();
            due = Math.max(0, producer - CqHeaderLayout.armConsumerIndex(any));
        }
        long solicited = CqHeaderLayout.armAcquire(memory, ring, true);
        if (CqHeaderLayout.armNumber(solicited) != seenSolicited) {
            seenSolicited = CqHeaderLayout.armNumber(solicited);
            note(Field.ARM_SOLICITED_SEEN, seenSolicited);
            armedSolicited = true;
            boolean isThere = afterLastSolicited - CqHeaderLayout.armConsumerIndex(solicited) > 0;
            if (!armedAny) {
                countAnew();
            }
            // How many of them there are is not known; what counts for any has counted them.
            if (isThere && (!armedAny || moderation == null)) {
                due = Math.max(due, 1);
            }
        }
        note(Field.ARMED, (armedAny ? 1 : 0) | (armedSolicited ? 2 : 0));
        return due == 0 ? Written.DONE : told(due);
    }

    private Written disarm(Written answer) {
        armedAny = false;
        armedSolicited = false;
        note(Field.ARMED, 0);
        note(Field.EVENTS, ++eventsRaised);
        countAnew();
        return answer;
    }

    private void countAnew() {
        if (moderation != null) {
            moderation.clear();
        }
    }

    private boolean hasRoomNow() {
        int claimed = CqHeaderLayout.consumerIndexAcquire(memory, ring);
        int unread = QueueIndexes.available(producer, claimed, entries);
        if (unread < 0 || unread == entries) {
            return false;
        }
        consumer = claimed;
        return true;
    }

    private void note(Field field, long value) {
        CqContextLayout.set(memory, context, field, value);
    }
}
