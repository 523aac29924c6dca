package io.hyperverbs.lab.bench.echo;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.lab.bench.Poll;
import io.hyperverbs.lab.bench.perf.PerfCompletions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * One side of all connections on a data path, with one completion queue for sends and receives. At most one message of a
 * connection is under way in each direction; each is of {@value #BYTES} bytes. One thread; posting allocates nothing.
 */
final class EchoEnd implements AutoCloseable {
    private static final int BYTES = 64;

    /** The client's last message of a call comes on a connection that may have a request under way by then. */
    private static final int RECEIVES = 2;

    private static final int SENDS = 16;

    /** Each so many-th send of a connection is signalled, and gives back the entries of those before it. */
    private static final int SIGNAL_EVERY = SENDS / 2;

    private static final int RNR_FOR_EVER = 7;
    private static final int PSN = 7;
    private static final int PAGE_BYTES = 4096;
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE);

    private final Domain domain;
    private final Context context;
    private final ProtectionDomain pd;
    private final MemorySegment buffer;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final RcQueuePair[] queuePairs;
    private final int[] sent;
    private final PerfCompletions completions;

    /** Queue pairs in INIT, with receives. */
    EchoEnd(Domain domain, DataPathKind path, int connections) throws VerbsException, BenchFailure {
        this.domain = domain;
        context = domain.devices().getFirst().open(path);
        pd = context.allocatePd();
        buffer = domain.memory().allocate(2L * BYTES * connections, PAGE_BYTES);
        region = pd.register(buffer, RIGHTS);
        cq = context.createCq(connections * (RECEIVES + SENDS / SIGNAL_EVERY), null);
        completions = new PerfCompletions(List.of(cq), null);
        queuePairs = new RcQueuePair[connections];
        sent = new int[connections];
        for (int i = 0; i < connections; i++) {
            queuePairs[i] = pd.createRc(QpLimits.of(SENDS, RECEIVES), cq, cq);
            queuePairs[i].modify(QpAttributes.toInit(RIGHTS));
            for (int k = 0; k < RECEIVES; k++) {
                receive(i);
            }
        }
    }

    /** For the peer: one word for each connection. */
    String ends() throws VerbsException {
        StringJoiner words = new StringJoiner(" ");
        for (RcQueuePair queuePair : queuePairs) {
            words.add(queuePair.endpoint(PSN, region).format());
        }
        return words.toString();
    }

    /** Connects each queue pair with the peer's of the same index. */
    void connect(String peerEnds) throws VerbsException {
        String[] words = peerEnds.split(" ", -1);
        for (int i = 0; i < queuePairs.length; i++) {
            queuePairs[i].modify(QpAttributes.toRtr(Endpoint.parse(words[i])));
            // A peer that gets no core for a while must not end the measurement.
            queuePairs[i].modify(QpAttributes.toRts(PSN).with(QpAttribute.RNR_RETRY, RNR_FOR_EVER));
        }
    }

    /** Takes what has completed, without waiting; {@link #at} names each. */
    int take() throws BenchFailure {
        return completions.take(cq);
    }

    /** One of those that were taken last; the index of the connection is its work request's identifier. */
    WorkCompletion at(int index) {
        return completions.at(index);
    }

    /** One step of waiting after a look that found nothing. */
    void idle() throws VerbsException, BenchFailure {
        completions.idle();
    }

    /** Posts a receive on a connection. */
    void receive(int index) throws BenchFailure {
        Poll.check(queuePairs[index]
                .receives()
                .start()
                .receive(index)
                .sge(region.lkey(), address(index) + BYTES, BYTES)
                .post());
    }

    /** Posts a message on a connection. */
    void send(int index) throws BenchFailure {
        Poll.check(queuePairs[index]
                .sends()
                .start()
                .send(index, flags(index))
                .sge(region.lkey(), address(index), BYTES)
                .post());
    }

    /** Posts the last message of a call on a connection, which has immediate data. */
    void sendLast(int index) throws BenchFailure {
        SendPoster poster = queuePairs[index].sends().start();
        Poll.check(poster.sendWithImmediate(index, flags(index), 1)
                .sge(region.lkey(), address(index), BYTES)
                .post());
    }

    private int flags(int index) {
        return ++sent[index] % SIGNAL_EVERY == 0 ? SendFlags.SIGNALLED : 0;
    }

    /** Where messages of a connection leave from; they land behind it. */
    private long address(int index) {
        return region.address() + 2L * BYTES * index;
    }

    @Override
    public void close() throws VerbsException {
        for (RcQueuePair queuePair : queuePairs) {
            queuePair.close();
        }
        cq.close();
        region.close();
        domain.memory().free(buffer);
        pd.close();
        context.close();
    }
}
