package io.hyperverbs.lab.attacks;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
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
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Guest program: a victim. Arguments: its peer's name, or its own, and its load, a percentage of
 * the rounds that it makes at full speed, or 0 for two hundred a second. Writes into the peer's
 * memory, reads back, adds to a counter there, and checks every byte, until it is ended. Shows how
 * far it is under {@link #BEAT}, what it makes at full speed under {@link #PEAK}, and the first
 * thing that went wrong under {@link #WRONG}.
 */
public final class VictimProgram {
    /** Key of the store: rounds done. */
    public static final String BEAT = "isolate/beat";

    /** Key of the store: rounds a second at full speed, if it has a load. */
    public static final String PEAK = "isolate/peak";

    /** Key of the store: what went wrong. */
    public static final String WRONG = "isolate/wrong";

    private static final String ENDPOINT = "isolate/endpoint";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration COMPLETION = Duration.ofSeconds(20);
    private static final int PSN = 0x42;
    private static final int BYTES = 4096;
    private static final long COUNTER = BYTES;
    private static final long READ_BACK = 2L * BYTES;
    private static final long SOURCE = 3L * BYTES;
    private static final long BEAT_NANOS = 15_000_000;
    private static final Set<Access> ALL =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private final MemorySegment memory;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final RcQueuePair qp;
    private final RcQueuePair idle;
    private final WorkCompletion[] completion = {new WorkCompletion()};
    private final WaitingPolicy waiting = WaitingPolicy.hybrid();

    private VictimProgram(Domain domain) throws VerbsException {
        Context context = domain.devices().getFirst().open();
        ProtectionDomain pd = context.allocatePd();
        memory = domain.memory().allocate(4L * BYTES, BYTES);
        region = pd.register(memory, ALL);
        cq = context.createCq(16, null);
        qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
        idle = pd.createRc(QpLimits.of(1, 1), cq, cq);
    }

    /** Runs in a guest. */
    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        VictimProgram victim = new VictimProgram(domain);
        Endpoint own = victim.qp.endpoint(PSN, victim.region);
        domain.store().write(ENDPOINT, own.format());
        Endpoint other = Endpoint.parse(domain.store().await(args[0], ENDPOINT, PATIENCE));
        victim.qp.connect(other, PSN, ALL);
        // Nobody sends to it: who guesses its PSN has it right for ever.
        victim.idle.connect(victim.idle.endpoint(PSN, victim.region), PSN, ALL);
        domain.store()
                .write(
                        VictimFacts.KEY,
                        new VictimFacts(
                                        own.lid(),
                                        own.qpn(),
                                        victim.idle.qpn(),
                                        PSN,
                                        victim.region.lkey(),
                                        victim.region.rkey(),
                                        victim.region.address(),
                                        victim.region.lengthBytes())
                                .format());
        // The other may not be connected yet: its HCA is silent until then, and RC tries again.
        domain.store().await(args[0], VictimFacts.KEY, PATIENCE);
        victim.traffic(other, domain.store(), new VictimRhythm(Integer.parseInt(args[1])));
    }

    private void traffic(Endpoint other, Store store, VictimRhythm rhythm) throws VerbsException {
        boolean untold = true;
        long beat = System.nanoTime() - BEAT_NANOS;
        for (long round = 0; ; round++) {
            String wrong = round(other, round);
            if (wrong != null) {
                store.write(WRONG, "round " + round + ": " + wrong);
                throw new IllegalStateException(wrong);
            }
            long now = System.nanoTime();
            if (now - beat >= BEAT_NANOS) {
                store.write(BEAT, Long.toString(round));
                beat = now;
            }
            long pause = rhythm.pauseNanos(now);
            if (untold && rhythm.peakPerSecond() > 0) {
                store.write(PEAK, Long.toString(rhythm.peakPerSecond()));
                untold = false;
            }
            if (pause > 0) {
                LockSupport.parkNanos(pause);
            }
        }
    }

    private @Nullable String round(Endpoint other, long round) throws VerbsException {
        byte value = (byte) (round * 31 + 7);
        MemorySegment source = memory.asSlice(SOURCE, BYTES).fill(value);
        MemorySegment back = memory.asSlice(READ_BACK, BYTES).fill((byte) ~value);
        qp.sends()
                .start()
                .rdmaWrite(1, SendFlags.SIGNALLED, other.address(), other.rkey())
                .sge(region.lkey(), region.address() + SOURCE, BYTES)
                .post();
        String failure = await("write");
        if (failure != null) {
            return failure;
        }
        qp.sends()
                .start()
                .rdmaRead(2, SendFlags.SIGNALLED, other.address(), other.rkey())
                .sge(region.lkey(), region.address() + READ_BACK, BYTES)
                .post();
        failure = await("read");
        if (failure != null) {
            return failure;
        }
        long differs = source.mismatch(back);
        if (differs >= 0) {
            return "byte " + differs + " read back is not what was written";
        }
        qp.sends()
                .start()
                .fetchAndAdd(3, SendFlags.SIGNALLED, other.address() + COUNTER, other.rkey(), 1)
                .sge(region.lkey(), region.address() + READ_BACK, Long.BYTES)
                .post();
        failure = await("fetch-add");
        long before = memory.get(ValueLayout.JAVA_LONG, READ_BACK);
        return failure == null && before != round ? "the counter was " + before + " and not " + round : failure;
    }

    private @Nullable String await(String what) {
        long deadline = System.nanoTime() + COMPLETION.toNanos();
        waiting.reset();
        while (cq.poll(completion) == 0) {
            if (System.nanoTime() - deadline > 0) {
                return "no completion of a " + what;
            }
            waiting.idleOrNap();
        }
        return completion[0].status() == VerbsStatus.SUCCESS ? null : what + ": " + completion[0].explain();
    }
}
