package io.hyperverbs.lab.attacks;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Guest program: a victim that does nothing until it is asked how long its verbs take; then it
 * creates, registers and writes, and tells. A verb that fails ends it, which its judge sees.
 */
public final class StopwatchProgram {
    /** Key of the store: it can be asked. */
    public static final String READY = "isolate/stopwatch";

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration COMPLETION = Duration.ofSeconds(20);
    private static final int PSN = 0x42;
    private static final int CREATES = 100;
    private static final int WRITES = 2000;
    private static final int BYTES = 4096;
    private static final int WRITTEN = 64;
    private static final Set<Access> ALL = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final ProtectionDomain pd;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final RcQueuePair qp;
    private final WorkCompletion[] completion = {new WorkCompletion()};
    private final WaitingPolicy waiting = WaitingPolicy.yielding();

    private StopwatchProgram(Domain domain) throws VerbsException {
        Context context = domain.devices().getFirst().open();
        pd = context.allocatePd();
        memory = domain.memory().allocate(BYTES, BYTES);
        region = pd.register(memory, ALL);
        cq = context.createCq(16, null);
        qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
        qp.connect(qp.endpoint(PSN, region), PSN, ALL);
    }

    /** Runs in a guest. */
    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        Store store = domain.store();
        StopwatchProgram stopwatch = new StopwatchProgram(domain);
        // What is timed is warm.
        VerbPace _ = stopwatch.measure();
        store.write(READY, "");
        for (int n = 0; ; n++) {
            awaitAsked(store, n);
            store.write(VerbPace.told(n), stopwatch.measure().format());
            if (n > 0) {
                // Keys of one name are bounded.
                store.remove(VerbPace.told(n - 1));
            }
        }
    }

    private static void awaitAsked(Store store, int n) throws VerbsException {
        while (true) {
            try {
                String _ = store.await("tool", VerbPace.ask(n), LONG);
                return;
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT) {
                    throw e;
                }
            }
        }
    }

    private VerbPace measure() throws VerbsException {
        Map<VerbPace.Act, VerbPace.Times> times = new EnumMap<>(VerbPace.Act.class);
        times.put(VerbPace.Act.CREATE_QP, creates());
        times.put(VerbPace.Act.REG_MR, registrations());
        times.put(VerbPace.Act.WRITE, writes());
        return VerbPace.of(times);
    }

    private VerbPace.Times creates() throws VerbsException {
        long[] nanos = new long[CREATES];
        for (int i = 0; i < CREATES; i++) {
            long start = System.nanoTime();
            try (RcQueuePair _ = pd.createRc(QpLimits.of(4, 4), cq, cq)) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        return VerbPace.Times.of(nanos);
    }

    private VerbPace.Times registrations() throws VerbsException {
        long[] nanos = new long[CREATES];
        for (int i = 0; i < CREATES; i++) {
            long start = System.nanoTime();
            try (MemoryRegion _ = pd.register(memory, ALL)) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        return VerbPace.Times.of(nanos);
    }

    private VerbPace.Times writes() {
        long[] nanos = new long[WRITES];
        for (int i = 0; i < WRITES; i++) {
            long start = System.nanoTime();
            qp.sends()
                    .start()
                    .rdmaWrite(1, SendFlags.SIGNALLED, region.address(), region.rkey())
                    .sge(region.lkey(), region.address() + BYTES / 2, WRITTEN)
                    .post();
            waiting.reset();
            while (cq.poll(completion) == 0) {
                if (System.nanoTime() - start > COMPLETION.toNanos()) {
                    throw new IllegalStateException("no completion of a write");
                }
                boolean _ = waiting.idle();
            }
            nanos[i] = System.nanoTime() - start;
            if (completion[0].status() != VerbsStatus.SUCCESS) {
                throw new IllegalStateException(completion[0].explain());
            }
        }
        return VerbPace.Times.of(nanos);
    }
}
