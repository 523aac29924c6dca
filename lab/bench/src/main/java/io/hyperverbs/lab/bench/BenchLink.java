package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmParameters;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A connected queue pair on one data path, with a buffer of two halves: messages leave from the
 * first and land in the second. One thread.
 */
final class BenchLink implements AutoCloseable {
    static final int SEND_DEPTH = 128;
    static final int RECEIVE_DEPTH = 64;

    private static final int RNR_FOR_EVER = 7;

    private static final Set<Access> RIGHTS =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    final DataPathKind path;
    final int halfBytes;
    final MemoryRegion region;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final RcQueuePair qp;
    /** The peer's end; zeros until the queue pair is connected. */
    Endpoint peer = new Endpoint(0, 0, 0, 0, 0, 0);

    /** Sends posted so far: which are signalled goes by this, over all rounds. */
    int sends;

    private final Context context;
    private final ProtectionDomain pd;

    /** Opens the device on {@code path}; its queue pair is in RESET. */
    BenchLink(Domain domain, DataPathKind path, int halfBytes) throws VerbsException {
        this.path = path;
        this.halfBytes = halfBytes;
        context = domain.devices().getFirst().open(path);
        pd = context.allocatePd();
        region = pd.register(domain.memory().allocate(2L * halfBytes, 4096), RIGHTS);
        sendCq = context.createCq(SEND_DEPTH, null);
        receiveCq = context.createCq(RECEIVE_DEPTH, null);
        qp = pd.createRc(QpLimits.of(SEND_DEPTH, RECEIVE_DEPTH), sendCq, receiveCq);
    }

    /** Opens the device on {@code path}, offers its end in the store and connects to the peer's. */
    BenchLink(Domain domain, DataPathKind path, String peerName, int halfBytes, Duration patience)
            throws VerbsException {
        this(domain, path, halfBytes);
        int psn = ThreadLocalRandom.current().nextInt(1 << 24);
        String key = "bench/endpoint/" + path;
        domain.store().write(key, qp.endpoint(psn, region).format());
        peer = Endpoint.parse(domain.store().await(peerName, key, patience));
        qp.modify(QpAttributes.toInit(RIGHTS));
        qp.modify(QpAttributes.toRtr(peer));
        // A peer that gets no core for a while must not end the measurement: RNR for ever.
        qp.modify(QpAttributes.toRts(psn).with(QpAttribute.RNR_RETRY, RNR_FOR_EVER));
    }

    /** What connects the queue pair by the connection manager: all that a peer may do, and where the memory is. */
    CmParameters parameters() throws VerbsException {
        CmParameters standard = CmParameters.standard();
        return standard.withAccess(RIGHTS)
                .withRetries(standard.retryCount(), RNR_FOR_EVER, standard.ackTimeout())
                .withPrivateData(PrivateData.of(qp.endpoint(0, region).format()));
    }

    /** Takes a queue pair that is to be called to INIT, where it gets its receives. */
    void initialize() throws VerbsException {
        qp.modify(QpAttributes.toInit(RIGHTS));
    }

    /** For the connection manager. */
    Context context() {
        return context;
    }

    /** First byte of the half where messages land, here. */
    long landingAddress() {
        return region.address() + halfBytes;
    }

    /** First byte of the half where messages land, at the peer. */
    long peerLandingAddress() {
        return peer.address() + halfBytes;
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        receiveCq.close();
        sendCq.close();
        region.close();
        pd.close();
        context.close();
    }
}
