package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections by the connection manager to a domain whose program is a {@link ConnectPeer}; steps as those of librdmacm's
 * {@code cmtime}. Connecting is timed from the call to the event that says ESTABLISHED, disconnecting to the peer's
 * answer. One thread.
 */
final class ConnectSteps implements CallSteps {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The queues of a queue pair that nothing is sent on. */
    static final int DEPTH = 16;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final ConnectionManager manager;
    private final CmChannel channel;
    private final Destination peer;

    /** A queue pair and its connection. */
    private record End(RcQueuePair qp, CmConnection connection) {}

    ConnectSteps(Domain domain, String peer, DataPathKind path) throws VerbsException {
        context = domain.devices().getFirst().open(path);
        pd = context.allocatePd();
        cq = context.createCq(DEPTH, null);
        manager = ConnectionManager.of(context);
        channel = manager.createChannel();
        this.peer = Destination.guest(peer);
    }

    @Override
    public void once(CallRound round, long[] into, int from) throws VerbsException, BenchFailure {
        switch (round.sequence()) {
            case CYCLE -> {
                long[] steps = steps();
                into[from] = steps[steps.length - 1] - steps[0];
            }
            case STEPS -> {
                long[] steps = steps();
                for (int i = 1; i < steps.length; i++) {
                    into[from + i - 1] = steps[i] - steps[i - 1];
                }
            }
            case MANY -> many(into, from);
            case MR, PD, CQ, QP, FIRST, WRITE, SEND -> throw new BenchFailure(round.sequence() + " connects nothing");
        }
    }

    /** When the first step began, and when each ended. */
    private long[] steps() throws VerbsException, BenchFailure {
        long[] nanos = new long[6];
        nanos[0] = System.nanoTime();
        RcQueuePair qp = pd.createRc(QpLimits.of(DEPTH, DEPTH), cq, cq);
        nanos[1] = System.nanoTime();
        End end = new End(qp, manager.resolve(channel, peer));
        nanos[2] = System.nanoTime();
        connect(end);
        await(CmEvent.Type.ESTABLISHED);
        nanos[3] = System.nanoTime();
        end.connection.disconnect(PrivateData.none());
        await(CmEvent.Type.DISCONNECTED);
        nanos[4] = System.nanoTime();
        destroy(end);
        nanos[5] = System.nanoTime();
        return nanos;
    }

    private void many(long[] into, int from) throws VerbsException, BenchFailure {
        long begunNanos = System.nanoTime();
        List<End> ends = new ArrayList<>();
        for (int i = 0; i < CallSequence.UNDER_WAY; i++) {
            ends.add(new End(pd.createRc(QpLimits.of(DEPTH, DEPTH), cq, cq), manager.resolve(channel, peer)));
        }
        long madeNanos = System.nanoTime();
        for (End end : ends) {
            connect(end);
        }
        awaitAll(CmEvent.Type.ESTABLISHED);
        long connectedNanos = System.nanoTime();
        for (End end : ends) {
            end.connection.disconnect(PrivateData.none());
        }
        awaitAll(CmEvent.Type.DISCONNECTED);
        long disconnectedNanos = System.nanoTime();
        for (End end : ends) {
            destroy(end);
        }
        into[from] = (connectedNanos - madeNanos) / CallSequence.UNDER_WAY;
        into[from + 1] = (disconnectedNanos - connectedNanos) / CallSequence.UNDER_WAY;
        into[from + 2] = (System.nanoTime() - begunNanos) / CallSequence.UNDER_WAY;
    }

    private static void connect(End end) throws VerbsException {
        end.connection.connect(end.qp, ConnectPeer.SERVICE_ID, CmParameters.standard());
    }

    private static void destroy(End end) throws VerbsException {
        end.qp.close();
        end.connection.close();
    }

    private void awaitAll(CmEvent.Type type) throws VerbsException, BenchFailure {
        for (int i = 0; i < CallSequence.UNDER_WAY; i++) {
            await(type);
        }
    }

    private void await(CmEvent.Type type) throws VerbsException, BenchFailure {
        CmEvent event = next(type);
        while (event.type() == CmEvent.Type.TIMEWAIT_EXIT) {
            // Of an end that is still to be destroyed: a busy computer is late.
            event = next(type);
        }
        if (event.type() != type) {
            throw new BenchFailure(event.guest() + ": " + event.type() + " " + event.status() + " " + event.reject()
                    + " in place of " + type);
        }
    }

    private CmEvent next(CmEvent.Type type) throws VerbsException, BenchFailure {
        return channel.await(PATIENCE)
                .orElseThrow(() -> new BenchFailure("no " + type + " within " + PATIENCE.toSeconds() + " s"));
    }

    @Override
    public void close() throws VerbsException {
        channel.close();
        cq.close();
        pd.close();
        context.close();
    }
}
