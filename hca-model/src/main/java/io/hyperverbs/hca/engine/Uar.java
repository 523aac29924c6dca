package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.event.EventSource;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.hca.layout.UarContextLayout.Field;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.schedule.DomainShare;
import java.lang.foreign.MemorySegment;

/**
 * An open UAR page and its private table from slot to object, so that a doorbell cannot name
 * anything of another page. Engine thread only.
 */
public final class Uar {
    /** Nothing behind a slot. */
    static final int NOTHING = 0;

    private final MemorySegment memory;
    private final int number;
    private final DomainShare share;
    private final long page;
    private final PkeyTable pkeys;
    private final long entry;
    // A queue pair is its index + 1, a completion queue minus its number.
    private final int[] slots = new int[UarLayout.SLOTS];
    // Of the device, then of each port.
    private final EventSource[] events = new EventSource[1 + PortSettings.MAX_PORTS];
    // Taken from the page and not looked at yet: words of the summary, slots of one of them.
    private long leftWords;
    private long leftSlots;
    private int leftWord;
    private int nextSlot;
    private int objects;
    private int slotless;

    Uar(ContextMemory contexts, int number, DomainShare share, long page, PkeyTable pkeys) {
        this.memory = contexts.memory();
        this.number = number;
        this.share = share;
        this.page = page;
        this.pkeys = pkeys;
        for (int i = 0; i < events.length; i++) {
            events[i] = new EventSource(number, i);
        }
        this.entry = contexts.entry(Table.UAR, number - 1, UarContextLayout.SIZE_BYTES);
        memory.asSlice(entry, UarContextLayout.SIZE_BYTES).fill((byte) 0);
        UarContextLayout.set(memory, entry, Field.DOMAIN, share.domain());
        UarContextLayout.set(memory, entry, Field.PAGE_ADDRESS, page);
        UarContextLayout.set(memory, entry, Field.WEIGHT, share.weight());
        UarContextLayout.set(memory, entry, Field.RATE_BYTES, share.bytesPerSecond());
        UarContextLayout.set(memory, entry, Field.RATE_MESSAGES, share.messagesPerSecond());
        UarContextLayout.publishRelease(memory, entry, number);
    }

    public int number() {
        return number;
    }

    public DomainShare share() {
        return share;
    }

    /** P_Keys that its queue pairs may have. */
    public PkeyTable pkeys() {
        return pkeys;
    }

    /** Where events of a port come from as this context sees it; 0: of the device. */
    EventSource events(int port) {
        return events[port];
    }

    /** Byte offset in the context memory of what its queue pairs counted. */
    public long totals() {
        return UarContextLayout.totals(entry);
    }

    long page() {
        return page;
    }

    /** Whether a doorbell waits: one look. */
    boolean isRung(MemorySegment machine) {
        return (leftWords | leftSlots) != 0 || UarLayout.summaryAcquire(machine, page) != 0;
    }

    /** Takes the summary, with what was left of the last one. */
    long takeWords(MemorySegment machine) {
        return leftWords | UarLayout.takeSummary(machine, page);
    }

    /** Slots of {@link #leftWord} that wait. */
    long leftSlots() {
        return leftSlots;
    }

    int leftWord() {
        return leftWord;
    }

    /** These words wait for the next turn, and of that word these slots. */
    void leave(long words, int word, long slots) {
        leftWords = words;
        leftWord = word;
        leftSlots = slots;
    }

    public boolean isUsed() {
        return objects != 0 || slotless != 0;
    }

    public boolean isFull() {
        return objects == slots.length;
    }

    /** Takes a slot for an object not yet known; the page is not full. */
    public int takeSlot() {
        while (slots[nextSlot] != NOTHING) {
            nextSlot = (nextSlot + 1) & (UarLayout.SLOTS - 1);
        }
        int slot = nextSlot;
        nextSlot = (nextSlot + 1) & (UarLayout.SLOTS - 1);
        objects++;
        UarContextLayout.set(memory, entry, Field.OBJECTS, objects);
        return slot;
    }

    /** An object without a doorbell comes, +1, or goes, -1. */
    public void addSlotless(int change) {
        slotless += change;
    }

    public void bindQueuePair(int slot, int qpIndex) {
        slots[slot] = qpIndex + 1;
    }

    public void bindCompletionQueue(int slot, int cqNumber) {
        slots[slot] = -cqNumber;
    }

    public void releaseSlot(int slot) {
        slots[slot] = NOTHING;
        objects--;
        UarContextLayout.set(memory, entry, Field.OBJECTS, objects);
    }

    int object(int slot) {
        return slots[slot];
    }

    void noteFaults(int faults) {
        UarContextLayout.set(memory, entry, Field.FAULTS, faults);
    }

    void close() {
        UarContextLayout.publishRelease(memory, entry, 0);
    }
}
