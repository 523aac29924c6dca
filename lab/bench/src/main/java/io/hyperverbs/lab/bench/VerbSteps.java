package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Privileged verbs. The device is opened by the first of them. One thread. */
final class VerbSteps implements CallSteps {
    private static final int PAGE_BYTES = 4096;
    private static final int DEPTH = 64;
    private static final int PSN = 7;

    private static final Set<Access> RIGHTS =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private final Domain domain;
    private final int largestBytes;
    private @Nullable Opened opened;

    /** Where the next time goes, and since when it runs. */
    private long[] nanos = new long[0];

    private int at;
    private long begunNanos;

    /** What all sequences stand on. */
    private record Opened(Context context, ProtectionDomain pd, CompletionQueue cq, int lid, MemorySegment memory) {}

    VerbSteps(Domain domain, int largestBytes) {
        this.domain = domain;
        this.largestBytes = largestBytes;
    }

    @Override
    public void once(CallRound round, long[] into, int from) throws VerbsException, BenchFailure {
        Opened on = open();
        nanos = into;
        at = from;
        begunNanos = System.nanoTime();
        switch (round.sequence()) {
            case MR -> register(on, round.bytes());
            case FIRST -> register(on, PAGE_BYTES);
            case PD -> allocate(on);
            case CQ -> createCq(on);
            case QP -> createQp(on);
            case WRITE, SEND, CYCLE, STEPS, MANY ->
                throw new BenchFailure(round.sequence() + " takes a connected queue pair");
        }
    }

    private Opened open() throws VerbsException {
        Opened made = opened;
        if (made == null) {
            Context context = domain.devices().getFirst().open(DataPathKind.BYPASS);
            MemorySegment memory = domain.memory().allocate(Math.max(PAGE_BYTES, largestBytes), PAGE_BYTES);
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCq(DEPTH, null);
            made = new Opened(context, pd, cq, context.queryPort(1).lid(), memory);
            opened = made;
        }
        return made;
    }

    /** A step ends, and the next one begins. */
    private void step() {
        long nowNanos = System.nanoTime();
        nanos[at++] = nowNanos - begunNanos;
        begunNanos = System.nanoTime();
    }

    private void register(Opened on, int bytes) throws VerbsException {
        MemoryRegion region = on.pd.register(on.memory.asSlice(0, bytes), RIGHTS);
        step();
        region.close();
        step();
    }

    private void allocate(Opened on) throws VerbsException {
        ProtectionDomain made = on.context.allocatePd();
        step();
        made.close();
        step();
    }

    private void createCq(Opened on) throws VerbsException {
        CompletionQueue made = on.context.createCq(DEPTH, null);
        step();
        made.close();
        step();
    }

    private void createQp(Opened on) throws VerbsException {
        RcQueuePair made = on.pd.createRc(QpLimits.of(DEPTH, DEPTH), on.cq, on.cq);
        step();
        made.modify(QpAttributes.toInit(RIGHTS));
        step();
        made.modify(QpAttributes.toRtr(new Endpoint(on.lid, made.qpn(), PSN, 0, 0, 0)));
        step();
        made.modify(QpAttributes.toRts(PSN));
        step();
        made.close();
        step();
    }

    @Override
    public void close() throws VerbsException {
        Opened made = opened;
        if (made != null) {
            made.cq.close();
            made.pd.close();
            made.context.close();
        }
    }
}
