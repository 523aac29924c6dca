package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * An HCA over plain memory, a clock the test sets, and guests' ends of rings. Everything runs on
 * the test's thread unless a runner is started.
 */
final class HcaFixture {
    static final Set<Access> ALL_REMOTE =
            Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    static final HcaLimits LIMITS = new HcaLimits(64, 64, 256, 32, 16, 4096, 64, 8, 1, 2048);

    /** Wakes like an eventfd; sleeping is real, for tests with a runner. */
    static final class SemaphoreSleep implements DoorbellSleep {
        private final Semaphore wakes = new Semaphore(0);

        @Override
        @SuppressWarnings("CatchAndPrintStackTrace")
        public void sleep(long maxNanos) {
            try {
                boolean _ = wakes.tryAcquire(maxNanos, TimeUnit.NANOSECONDS);
                wakes.drainPermits();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void wake() {
            wakes.release();
        }
    }

    final MemorySegment memory;
    final SemaphoreSleep sleep = new SemaphoreSleep();
    private final PkeyTable pkeys;
    final Hca hca;
    final int lid;
    final long contexts;
    final long statusPage;
    int interrupts;
    private boolean lineBroken;
    long now = 1_000_000_000L;
    private long allocated;
    private final HcaEvent event = new HcaEvent();

    HcaFixture() {
        this(16 << 20, LIMITS);
    }

    HcaFixture(long bytes, HcaLimits limits) {
        this(bytes, limits, Network.none());
    }

    /** One on a network, whose ports have the LIDs of {@code limits}. */
    HcaFixture(long bytes, HcaLimits limits, Network network) {
        lid = limits.lid();
        memory = Arena.ofAuto().allocate(bytes, 4096);
        contexts = allocate(Hca.contextMemoryBytes(limits));
        statusPage = allocate(4096);
        PortSettings ports = PortSettings.standard(limits.lid(), limits.mtuBytes());
        pkeys = ports.pkeyTable();
        hca = new Hca(
                memory,
                this::interrupt,
                sleep,
                limits,
                ports,
                network,
                contexts,
                statusPage,
                new SplittableRandom(6 + lid));
    }

    /** The next interrupt throws. */
    void breakLine() {
        lineBroken = true;
    }

    private void interrupt() {
        interrupts++;
        if (lineBroken) {
            lineBroken = false;
            throw new IllegalStateException("the interrupt line is broken");
        }
    }

    /** Machine address of so many zeroed bytes, on a page boundary. */
    long allocate(long bytes) {
        long address = allocated;
        allocated += (bytes + 4095) & ~4095L;
        if (allocated > memory.byteSize()) {
            throw new IllegalStateException("fixture memory is used up");
        }
        return address;
    }

    /** Gives back all that was allocated from that address on, which nothing of the HCA's names any more. */
    void rewind(long address) {
        memory.asSlice(address, allocated - address).fill((byte) 0);
        allocated = address;
    }

    /** Lets the engine work until it finds nothing more to do, without time passing. */
    void run() {
        for (int i = 0; hca.engine().doWork(now) > 0; i++) {
            assertThat(i).as("turns until idle").isLessThan(1_000_000);
        }
    }

    /** Lets time pass in one jump, then runs. */
    void pass(long nanos) {
        now += nanos;
        run();
    }

    /** So many zero bytes to compare with. */
    MemorySegment zeros(long bytes) {
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    long counter(Counter counter) {
        return ContextMemoryLayout.counter(memory, contexts, counter);
    }

    /** Takes all events, as "COMPLETION n" and "QP_FATAL n". */
    List<String> events() {
        List<String> all = new ArrayList<>();
        while (hca.poll(event)) {
            String kind = event.kind() == HcaEvent.Kind.COMPLETION
                    ? "COMPLETION"
                    : AsyncEvent.Type.of(event.asyncCode()).name();
            all.add(kind + " " + event.number());
        }
        return all;
    }

    Guest guest(int domain) {
        return new Guest(domain);
    }

    /** A context of a domain with one PD: what its driver would hold. */
    final class Guest {
        final int domain;
        final int uar;
        final long page;
        final int pd;
        final Doorbell doorbell;

        Guest(int domain) {
            this(domain, pkeys);
        }

        /** One whose queue pairs may have these P_Keys. */
        Guest(int domain, PkeyTable pkeys) {
            this.domain = domain;
            page = allocate(UarLayout.SIZE_BYTES);
            UarLayout.format(memory, page);
            HcaCommands.Numbered opened = hca.openUar(domain, page, HcaCommands.ShareInit.STANDARD, pkeys);
            assertThat(opened.status()).isEqualTo(VerbsStatus.SUCCESS);
            uar = opened.number();
            pd = hca.allocatePd(domain).number();
            doorbell = new Doorbell(memory, page, memory, statusPage, sleep::wake);
        }

        Buffer buffer(long bytes) {
            return buffer(bytes, pd, ALL_REMOTE);
        }

        Buffer buffer(long bytes, int inPd, Set<Access> access) {
            long address = allocate(bytes);
            // Virtual addresses unlike machine addresses, so that a mix-up shows.
            long virtual = 0x7f00_0000_0000L + address;
            HcaCommands.Keyed keyed = hca.createRegion(new HcaCommands.RegionInit(
                    inPd, virtual, bytes, Access.mask(access), List.of(new MachineRun(address, bytes)), 0));
            assertThat(keyed.status()).isEqualTo(VerbsStatus.SUCCESS);
            return new Buffer(address, virtual, bytes, keyed.region(), keyed.lkey(), keyed.rkey());
        }

        TestCq cq(int entries) {
            long ring = allocate(CqHeaderLayout.totalBytes(entries));
            HcaCommands.Slotted made = hca.createCq(uar, ring, entries);
            assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
            return new TestCq(this, made.number(), made.slot(), ring, entries);
        }
    }

    /** A registered buffer: machine address, virtual address, keys. */
    record Buffer(long machine, long address, long bytes, int region, int lkey, int rkey) {}

    /** A completion queue with the guest's end of it. */
    final class TestCq {
        final Guest guest;
        final int number;
        final int slot;
        final long ringAddress;
        final CompletionRing ring;

        TestCq(Guest guest, int number, int slot, long ringAddress, int entries) {
            this.guest = guest;
            this.number = number;
            this.slot = slot;
            this.ringAddress = ringAddress;
            this.ring = new CompletionRing(memory, ringAddress, entries);
        }

        void arm(boolean solicitedOnly) {
            ring.arm(solicitedOnly);
            guest.doorbell.ring(slot);
        }

        /** Takes the next completion; false if there is none. */
        boolean take(WorkCompletion completion) {
            if (!ring.hasNext()) {
                return false;
            }
            ring.read(completion);
            ring.advance();
            ring.publishConsumer();
            return true;
        }

        /** The next completion, or null. */
        WorkCompletion poll() {
            WorkCompletion completion = new WorkCompletion();
            return take(completion) ? completion : null;
        }

        /** All completions as "OPCODE wrId STATUS". */
        List<String> drain() {
            List<String> all = new ArrayList<>();
            for (WorkCompletion c = poll(); c != null; c = poll()) {
                all.add(c.opcode() + " " + c.wrId() + " " + c.status());
            }
            return all;
        }
    }
}
