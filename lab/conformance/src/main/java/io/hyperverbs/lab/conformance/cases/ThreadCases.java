package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Objects that several threads make and end at the same time. */
@CaseGroup("device")
public final class ThreadCases {
    private static final int THREADS = 5;
    private static final int ROUNDS = 20;

    /** Kept by each thread until it has made as many. */
    private static final int AT_ONCE = 4;

    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final String RULE = "verbs may be called from any thread (ibv_get_device_list)";

    /** Makes an object. */
    @FunctionalInterface
    private interface Maker<T extends AutoCloseable> {
        T make() throws VerbsException;
    }

    /** What tells two objects apart that are there at the same time. */
    @FunctionalInterface
    private interface Name<T> {
        Object of(T object);
    }

    private ThreadCases() {}

    @Case(RULE)
    static void threadsMakeCqs(Rig rig) throws VerbsException {
        Context context = rig.context();

        inThreads(() -> context.createCq(8, null), CompletionQueue::describe);
    }

    @Case(RULE)
    static void threadsMakeQps(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());
        CompletionQueue cq = rig.closing(context.createCq(64, null));

        inThreads(() -> pd.createRc(QpLimits.of(4, 4), cq, cq), RcQueuePair::qpn);

        cq.close();
    }

    @Case(RULE)
    static void threadsMakeRegions(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        MemorySegment buffer = rig.buffer(8192);
        Set<Access> rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

        inThreads(() -> pd.register(buffer, rights), MemoryRegion::rkey);

        pd.close();
    }

    private static <T extends AutoCloseable> void inThreads(Maker<T> maker, Name<T> name) {
        Set<Object> there = ConcurrentHashMap.newKeySet();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .uncaughtExceptionHandler((_, e) -> failures.add(e))
                    .start(() -> rounds(maker, name, there)));
        }
        for (Thread thread : threads) {
            await(thread);
        }
        Expect.isTrue(failures.isEmpty(), "threads failed: " + failures);
        Expect.isTrue(there.isEmpty(), there.size() + " objects are left");
    }

    private static void await(Thread thread) {
        try {
            Expect.isTrue(thread.join(PATIENCE), "a thread hangs in " + List.of(thread.getStackTrace()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static <T extends AutoCloseable> void rounds(Maker<T> maker, Name<T> name, Set<Object> there) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                List<T> made = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    T object = maker.make();
                    Expect.isTrue(there.add(name.of(object)), "two objects of one name");
                    made.add(object);
                }
                for (T object : made) {
                    Expect.isTrue(there.remove(name.of(object)), "an object changed its name");
                    object.close();
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(Expect.text(e), e);
        }
    }
}
