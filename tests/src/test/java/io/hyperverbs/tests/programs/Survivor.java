package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Exchanges writes with one victim after the other, each of which is killed, as the arguments say
 * in the middle of what. After each it reports the status of its own failed write, the state of its
 * QP, and whether the bytes of the region it exposed are the victim's or its own and those around
 * it untouched; and whether all that is {@code well}.
 */
public final class Survivor {
    private static final byte CANARY = (byte) 0xc7;
    private static final byte WRITTEN = (byte) 0x5a;
    private static final int BUSY_AFTER = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Domain domain = Domain.current();
    private final MemorySegment arena;
    private final ProtectionDomain pd;
    private final Context context;
    private final MemoryRegion exposed;
    private final MemoryRegion source;

    private Survivor() throws VerbsException {
        context = domain.devices().getFirst().open();
        pd = context.allocatePd();
        arena = domain.memory().allocate(4L * KilledProgram.CHUNK_BYTES, 4096);
        arena.fill(CANARY);
        // Not page aligned: the pages at both ends hold canary bytes too.
        exposed = pd.register(arena.asSlice(KilledProgram.CHUNK_BYTES + 100, KilledProgram.CHUNK_BYTES), Peer.ALL);
        source = pd.register(arena.asSlice(3L * KilledProgram.CHUNK_BYTES, KilledProgram.CHUNK_BYTES), Peer.ALL);
    }

    public static void main(String[] args) throws Exception {
        Survivor survivor = new Survivor();
        survivor.domain.store().write("up", "yes");
        for (int round = 1; round <= args.length; round++) {
            KilledProgram.Point point = KilledProgram.Point.valueOf(args[round - 1]);
            survivor.domain
                    .store()
                    .write(
                            "result-" + round,
                            point == KilledProgram.Point.REGISTRATION
                                    ? survivor.hearOf(round)
                                    : survivor.outlive("v" + round, round, point));
        }
        // What it wrote goes with it.
        String _ = survivor.domain.store().await("tool", "over", PATIENCE);
    }

    /** Of a victim that never had a connection. */
    private String hearOf(int round) throws VerbsException {
        String _ = domain.store().await("tool", "dead-" + round, PATIENCE);
        return untouched() ? "intact well" : "damaged";
    }

    private String outlive(String victim, int round, KilledProgram.Point point) throws Exception {
        try (Peer peer = new Peer(context, pd)) {
            Endpoint remote = Endpoint.parse(domain.store().await(victim, "ep", PATIENCE));
            peer.connect(remote);
            domain.store().write("ep-" + victim, peer.endpoint(exposed).format());
            domain.store().await(victim, "connected", PATIENCE);
            WorkCompletion completion = write(peer, remote);
            for (int n = 1; completion.status() == VerbsStatus.SUCCESS; n++) {
                if (n == BUSY_AFTER) {
                    domain.store().write("busy-" + round, "yes");
                }
                completion = write(peer, remote);
            }
            QpState state = peer.qp.query().state();
            // One that connects anew in between answers out of sequence before it is dead.
            boolean silence = point == KilledProgram.Point.CONNECT || completion.status() == VerbsStatus.RETRY_EXC_ERR;
            return completion.status()
                    + " "
                    + state
                    + (untouched() ? " intact" : " damaged")
                    + (silence && state == QpState.ERR && untouched() ? " well" : "");
        } finally {
            domain.store().remove("ep-" + victim);
            domain.store().remove("busy-" + round);
        }
    }

    private WorkCompletion write(Peer peer, Endpoint remote) {
        peer.qp
                .sends()
                .start()
                .rdmaWrite(2, SendFlags.SIGNALLED, remote.address(), remote.rkey())
                .sge(source.lkey(), source.address(), KilledProgram.CHUNK_BYTES)
                .post();
        return peer.await();
    }

    private boolean untouched() {
        long from = exposed.address() - arena.address();
        for (long i = 0; i < arena.byteSize(); i++) {
            boolean inside = i >= from && i < from + exposed.lengthBytes();
            byte value = arena.get(ValueLayout.JAVA_BYTE, i);
            if (value != CANARY && !(inside && value == WRITTEN)) {
                return false;
            }
        }
        return true;
    }
}
