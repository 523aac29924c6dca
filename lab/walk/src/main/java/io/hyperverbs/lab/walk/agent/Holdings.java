package io.hyperverbs.lab.walk.agent;

import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the domain of a walk has in its slots, and what it knows of those of others. */
final class Holdings {
    /** A key that no region has. */
    private static final int NO_KEY = 0x5bad_0bad;

    /** An address handle that there is not. */
    private static final int NO_AH = 0x7fff_fffe;

    /** A QPN that no queue pair has. */
    private static final int NO_QPN = 0xff_fffe;

    final @Nullable Context[] contexts = new Context[Slots.CONTEXTS];
    final MemorySegment arena;

    private final Map<SlotKind, @Nullable VerbsObject[]> slots = new EnumMap<>(SlotKind.class);

    private final int[] lkeys = new int[Slots.REGIONS];
    private final int[] rkeys = new int[Slots.REGIONS];
    private final long[] bases = new long[Slots.REGIONS];

    /** The last of each slot. */
    final int[] ahs = new int[Slots.AHS];

    private final int[] windowKeys = new int[Slots.WINDOWS];
    private final long[] windowBases = new long[Slots.WINDOWS];

    /** The last of each slot, closed or not: requests still name them. */
    private final @Nullable MemoryRegion[] regions = new MemoryRegion[Slots.REGIONS];

    private final int[] qpns = new int[Slots.QPS];

    Holdings(Domain domain) throws VerbsException {
        arena = domain.memory().allocate(Slots.ARENA_BYTES, Slots.ARENA_BYTES);
        for (SlotKind kind : SlotKind.values()) {
            slots.put(kind, new VerbsObject[Slots.count(kind)]);
        }
    }

    /** What is in a slot, null if nothing is. */
    private @Nullable VerbsObject at(SlotKind kind, int slot) {
        return there(slots.get(kind), "kind")[slot];
    }

    void put(SlotKind kind, int slot, @Nullable VerbsObject object) {
        there(slots.get(kind), "kind")[slot] = object;
    }

    /** What is in a slot, which must not be empty. */
    <T extends VerbsObject> T get(SlotKind kind, int slot, Class<T> type) {
        return type.cast(there(at(kind, slot), kind.name()));
    }

    @Nullable
    CompletionQueue cq(int slot) {
        return (CompletionQueue) at(SlotKind.CQ, slot);
    }

    QueuePair qp(int slot) {
        return get(SlotKind.QP, slot, QueuePair.class);
    }

    ProtectionDomain pd(int slot) {
        return get(SlotKind.PD, slot, ProtectionDomain.class);
    }

    /** Destroys what is in a slot. */
    void close(SlotKind kind, int slot) throws VerbsException {
        get(kind, slot, VerbsObject.class).close();
        put(kind, slot, null);
    }

    /** Closes all but the contexts, forgets the others' numbers, clears the memory. */
    void reset() throws VerbsException {
        for (SlotKind kind : SlotKind.CHILDREN_FIRST) {
            for (int slot = 0; slot < Slots.count(kind); slot++) {
                if (at(kind, slot) != null) {
                    close(kind, slot);
                }
            }
        }
        java.util.Arrays.fill(lkeys, NO_KEY);
        java.util.Arrays.fill(rkeys, NO_KEY);
        java.util.Arrays.fill(bases, arena.address());
        java.util.Arrays.fill(regions, null);
        java.util.Arrays.fill(ahs, NO_AH);
        java.util.Arrays.fill(windowKeys, NO_KEY);
        java.util.Arrays.fill(windowBases, arena.address());
        java.util.Arrays.fill(qpns, NO_QPN);
        arena.fill((byte) 0);
    }

    void learnQp(int slot, int qpn) {
        qpns[slot] = qpn;
    }

    void learnRegion(int slot, int lkey, int rkey, long base) {
        lkeys[slot] = lkey;
        rkeys[slot] = rkey;
        bases[slot] = base;
    }

    void learnWindow(int slot, int rkey, long base) {
        windowKeys[slot] = rkey;
        windowBases[slot] = base;
    }

    /** Keeps a region for its slot, beyond its end. */
    void keep(int slot, MemoryRegion region) {
        put(SlotKind.REGION, slot, region);
        regions[slot] = region;
    }

    MemoryRegion lastRegion(int slot) {
        return there(regions[slot], "region");
    }

    /** The number of an address handle of this domain. */
    int ah(int slot) {
        return slot >= 0 && slot < ahs.length ? ahs[slot] : NO_AH;
    }

    /** The key of a window with that tag. */
    int windowKey(int slot, int tag) {
        int first = windowKeys[slot];
        return (first & ~0xff) | (first + tag & 0xff);
    }

    int lkey(Place place) {
        return place.key() >= 0 && !place.isWindow() ? lkeys[place.key()] : otherKey(place);
    }

    int rkey(Place place) {
        return place.key() >= 0 && !place.isWindow() ? rkeys[place.key()] : otherKey(place);
    }

    private int otherKey(Place place) {
        return place.isWindow() ? windowKey(place.windowSlot(), place.tag()) : NO_KEY;
    }

    /** Where a place is, in the address space of the domain of its region or window. */
    long address(Place place) {
        if (place.isWindow()) {
            return place.address(windowBases[place.windowSlot()]);
        }
        return place.address(place.key() < 0 ? arena.address() : bases[place.key()]);
    }

    /** The QPN of a slot; other numbers are taken as they are. */
    long qpn(long slot) {
        return slot >= 0 && slot < qpns.length ? qpns[(int) slot] : slot;
    }

    static <T> T there(@Nullable T object, String what) {
        if (object == null) {
            throw new IllegalStateException("there is no " + what + " in that slot");
        }
        return object;
    }
}
