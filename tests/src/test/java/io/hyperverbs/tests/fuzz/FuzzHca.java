package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A new HCA over memory that is used again and again; time is a number. One thread. */
final class FuzzHca {
    private static final HcaLimits LIMITS = new HcaLimits(16, 16, 32, 8, 8, 256, 8, 4, 1, 2048);
    private static final int PAGE = 4096;
    private static final byte CANARY = (byte) 0xc5;
    private static final int MOST_TURNS = 200_000;
    private static final ThreadLocal<MemorySegment> MEMORY =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(512 << 10, PAGE));

    private static final class NoSleep implements DoorbellSleep {
        @Override
        public void sleep(long maxNanos) {}

        @Override
        public void wake() {}
    }

    final MemorySegment memory = MEMORY.get();
    final Hca hca;
    final List<String> events = new ArrayList<>();
    private final HcaEvent event = new HcaEvent();
    private final PkeyTable pkeys;
    private final long contexts;
    private final long firstFree;
    private long next;
    private long now = 1_000_000_000L;

    /** One without a wire. */
    FuzzHca() {
        this(PortSettings.standard(LIMITS.lid(), LIMITS.mtuBytes()), Network.none());
    }

    /** One with such ports on a network. */
    FuzzHca(PortSettings ports, Network network) {
        memory.fill((byte) 0);
        pkeys = ports.pkeyTable();
        contexts = allocate(Hca.contextMemoryBytes(LIMITS));
        long statusPage = allocate(PAGE);
        firstFree = next;
        hca = new Hca(
                memory,
                () -> {},
                new NoSleep(),
                LIMITS,
                ports,
                network,
                contexts,
                statusPage,
                new SplittableRandom(11));
    }

    long now() {
        return now;
    }

    /** Zeroed bytes on a page boundary, with a page of canaries behind them. */
    long allocate(long bytes) {
        long address = next;
        long end = (address + bytes + PAGE - 1) & -PAGE;
        memory.asSlice(address + bytes, end - address - bytes + PAGE).fill(CANARY);
        next = end + PAGE;
        return address;
    }

    /** What lies before it is the HCA's own: contexts and status page. */
    long firstGuestByte() {
        return firstFree;
    }

    /** A domain's UAR page, and its number. */
    Context open(int domain) {
        long page = allocate(UarLayout.SIZE_BYTES);
        UarLayout.format(memory, page);
        HcaCommands.Numbered opened = hca.openUar(domain, page, HcaCommands.ShareInit.STANDARD, pkeys);
        good(opened.status());
        return new Context(opened.number(), hca.allocatePd(domain).number(), page);
    }

    record Context(int uar, int pd, long page) {}

    /** A region of its own memory, at virtual addresses unlike machine addresses. */
    Piece region(int pd, long bytes, int access) {
        long machine = allocate(bytes);
        long address = 0x7f00_0000_0000L + machine;
        HcaCommands.Keyed keyed = hca.createRegion(
                new HcaCommands.RegionInit(pd, address, bytes, access, List.of(new MachineRun(machine, bytes)), 0));
        good(keyed.status());
        return new Piece(machine, address, bytes, keyed.lkey(), keyed.rkey());
    }

    record Piece(long machine, long address, long bytes, int lkey, int rkey) {}

    Queue cq(Context context, int entries) {
        long ring = allocate(CqHeaderLayout.totalBytes(entries));
        HcaCommands.Slotted made = hca.createCq(context.uar(), ring, entries);
        good(made.status());
        return new Queue(made.number(), made.slot(), ring, CqHeaderLayout.totalBytes(entries));
    }

    record Queue(int number, int slot, long ring, long bytes) {}

    static void good(VerbsStatus status) {
        if (status != VerbsStatus.SUCCESS) {
            throw new IllegalStateException("set-up: " + status);
        }
    }

    /** Lets the engine work until there is nothing more to do now. */
    void run() {
        for (int turns = 0; hca.engine().doWork(now) > 0; turns++) {
            if (turns > MOST_TURNS) {
                throw new AssertionError("the engine finds no end");
            }
        }
        while (hca.poll(event)) {
            String kind = event.kind() == HcaEvent.Kind.COMPLETION
                    ? "COMPLETION"
                    : AsyncEvent.Type.of(event.asyncCode()).name();
            events.add(kind + " " + event.number());
        }
    }

    /** One turn of the engine. */
    void turn() {
        int _ = hca.engine().doWork(now);
    }

    void pass(long nanos) {
        now += nanos;
        run();
    }

    /** Lets so much time pass that every retry has had its end. */
    void settle() {
        run();
        for (long nanos = 1 << 20; nanos < 1L << 32; nanos <<= 1) {
            pass(nanos);
        }
    }

    long counter(Counter counter) {
        return ContextMemoryLayout.counter(memory, contexts, counter);
    }

    /** Nothing was thrown in the engine. */
    void assertSound() {
        if (hca.hasFailed() || counter(Counter.ENGINE_FAULTS) != 0) {
            throw new AssertionError("something was thrown in the engine");
        }
    }
}
