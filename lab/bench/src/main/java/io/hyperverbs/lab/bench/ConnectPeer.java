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
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Is called by {@link ConnectSteps}: makes a queue pair for each call, accepts it, and ends both when the caller
 * disconnects. A thread of its own does so until it is closed; it measures nothing.
 */
final class ConnectPeer implements CallSteps {
    static final long SERVICE_ID = ConnectionManager.TCP_PORT_SPACE + 7471;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(60);
    private static final int BACKLOG = 64;

    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final CmChannel channel;
    private final CmListener listener;
    private final Thread thread = new Thread(this::serve, "is-called");

    /** Queue pairs of connections, in the thread alone. */
    private final Map<CmConnection, RcQueuePair> queuePairs = new HashMap<>();

    private volatile boolean closing;
    private volatile String failure = "";

    ConnectPeer(Domain domain, DataPathKind path) throws VerbsException {
        context = domain.devices().getFirst().open(path);
        pd = context.allocatePd();
        cq = context.createCq(ConnectSteps.DEPTH, null);
        channel = ConnectionManager.of(context).createChannel();
        listener = ConnectionManager.of(context).listen(channel, SERVICE_ID, BACKLOG);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void once(CallRound round, long[] into, int from) throws BenchFailure {
        throw new BenchFailure("a domain that is called times nothing" + failure);
    }

    private void serve() {
        try {
            while (!closing) {
                Optional<CmEvent> event = channel.await(LOOK_AGAIN);
                if (event.isPresent()) {
                    take(event.get());
                }
            }
        } catch (VerbsException e) {
            if (!closing) {
                // The caller waits in vain, and says so; this is why.
                failure = ": " + e.getMessage();
                System.err.println("connections are no longer accepted" + failure);
            }
        }
    }

    private void take(CmEvent event) throws VerbsException {
        CmConnection connection = event.connection();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                RcQueuePair qp = pd.createRc(QpLimits.of(ConnectSteps.DEPTH, ConnectSteps.DEPTH), cq, cq);
                queuePairs.put(connection, qp);
                connection.accept(qp, CmParameters.standard());
            }
            case DISCONNECTED -> {
                connection.disconnect(PrivateData.none());
                end(connection);
            }
            case REJECTED, UNREACHABLE, CONNECT_ERROR -> end(connection);
            case CONNECT_RESPONSE, ESTABLISHED, TIMEWAIT_EXIT -> {
                // Nothing is to be done.
            }
        }
    }

    private void end(CmConnection connection) throws VerbsException {
        RcQueuePair qp = queuePairs.remove(connection);
        if (qp != null) {
            qp.close();
        }
        connection.close();
    }

    @Override
    public void close() throws VerbsException {
        closing = true;
        listener.close();
        // The rest goes with the process: what is still connected has its queue pairs in use.
        channel.close();
    }
}
