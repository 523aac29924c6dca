package io.hyperverbs.lab.micro;

import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** An HCA over plain memory whose engine runs on the caller's thread, which is the guests' too. */
final class HcaScene {
    static final int PAGE_BYTES = 4096;
    static final Set<Access> RIGHTS =
            Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    static final int LID = 1;

    private static final long MEMORY_BYTES = 64 << 20;
    private static final int QPS = 2048;
    private static final HcaLimits LIMITS = new HcaLimits(QPS, QPS, 256, 32, 16, 4096, 64, 8, LID, 2048);

    private static final DoorbellSleep SLEEP = new DoorbellSleep() {
        @Override
        public void sleep(long maxNanos) {
            throw new IllegalStateException("nobody would wake the engine");
        }

        @Override
        public void wake() {
            // The caller's next step is the engine's.
        }
    };

    final MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES, PAGE_BYTES);
    final Hca hca;
    private final long statusPage;
    private long allocated;
    private long nowNanos = 1;

    HcaScene() {
        long contexts = allocate(Hca.contextMemoryBytes(LIMITS));
        statusPage = allocate(PAGE_BYTES);
        hca = new Hca(memory, () -> {}, SLEEP, LIMITS, contexts, statusPage, new SplittableRandom(1));
    }

    /** Machine address of so many zero bytes, from a page on. */
    long allocate(long bytes) {
        long address = allocated;
        allocated += Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES;
        return address;
    }

    /** Lets the engine work until there is nothing to do. */
    void run() {
        while (hca.engine().doWork(nowNanos) > 0) {
            nowNanos++;
        }
    }

    /** One turn of the engine; true if it did something. */
    boolean turn() {
        return hca.engine().doWork(nowNanos++) > 0;
    }

    static void require(VerbsStatus status) {
        if (status != VerbsStatus.SUCCESS) {
            throw new IllegalStateException("the HCA answered " + status);
        }
    }

    /** A domain's context with one PD. */
    final class Guest {
        final int uar;
        final int pd;
        final Doorbell doorbell;

        Guest(int domain) {
            long page = allocate(UarLayout.SIZE_BYTES);
            UarLayout.format(memory, page);
            HcaCommands.Numbered opened =
                    hca.openUar(domain, page, HcaCommands.ShareInit.STANDARD, new PkeyTable(List.of(Pkey.DEFAULT)));
            require(opened.status());
            uar = opened.number();
            pd = hca.allocatePd(domain).number();
            doorbell = new Doorbell(memory, page, memory, statusPage, SLEEP::wake);
        }

        Buffer buffer(long bytes) {
            long address = allocate(bytes);
            HcaCommands.Keyed keyed = hca.createRegion(new HcaCommands.RegionInit(
                    pd, address, bytes, Access.mask(RIGHTS), List.of(new MachineRun(address, bytes)), 0));
            require(keyed.status());
            return new Buffer(address, keyed.lkey(), keyed.rkey());
        }
    }

    /** Registered memory, whose virtual address is the machine's. */
    record Buffer(long address, int lkey, int rkey) {}
}
