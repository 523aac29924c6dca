import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.Send;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.sa.Destination;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/**
 * A client calls a server by its guest's name; the connection manager does the rest:
 *
 * <pre>
 * hv up -d --topo pair
 * hv run --in b examples/Greeting.java serve &amp;
 * hv run --in a examples/Greeting.java call b
 * </pre>
 */
public final class Greeting {
    private static final long SERVICE = 0x6772_6565_74L;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int BYTES = 128;

    public static void main(String[] args) throws VerbsException, InterruptedException {
        var domain = Domain.current();
        var rights = EnumSet.of(Access.LOCAL_WRITE);
        var memory = domain.memory().allocate(BYTES, 64);
        try (var context = domain.devices().getFirst().open();
                var pd = context.allocatePd();
                var region = pd.register(memory, rights);
                var cq = context.createCq(8, null);
                var qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
                var channel = ConnectionManager.of(context).createChannel()) {
            var line = List.of(region.sge(0, BYTES));
            if (args.length == 1 && args[0].equals("serve")) {
                try (var listener = ConnectionManager.of(context).listen(channel, SERVICE, 1)) {
                    var request = next(channel, CmEvent.Type.CONNECT_REQUEST);
                    try (var connection = request.connection()) {
                        System.out.println(request.guest() + " calls: " + request.privateData().text());
                        // Receives can be posted from INIT on; the library goes on from there.
                        qp.modify(QpAttributes.toInit(rights));
                        posted(qp, qp.postReceive(new ReceiveWorkRequest(1, line)));
                        connection.accept(qp, CmParameters.standard().withPrivateData(PrivateData.of("come in")));
                        next(channel, CmEvent.Type.ESTABLISHED);
                        System.out.println(await(cq) + ": " + memory.getString(0));
                        next(channel, CmEvent.Type.DISCONNECTED);
                        connection.disconnect(PrivateData.none());
                    }
                }
            } else if (args.length == 2 && args[0].equals("call")) {
                var established = call(ConnectionManager.of(context), channel, args[1], qp);
                try (var connection = established.connection()) {
                    System.out.println(established.guest() + " answers: " + established.privateData().text());
                    memory.setString(0, "hello from " + domain.name());
                    posted(qp, qp.postSend(new Send(2, SendFlags.SIGNALLED, line)));
                    System.out.println(await(cq));
                    connection.disconnect(PrivateData.none());
                    next(channel, CmEvent.Type.DISCONNECTED);
                }
            } else {
                System.err.println("usage: Greeting serve | call GUEST");
            }
        }
        domain.memory().free(memory);
    }

    /** Calls again while nobody listens there yet. */
    private static CmEvent call(ConnectionManager manager, CmChannel channel, String guest, QueuePair qp)
            throws VerbsException, InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var connection = manager.resolve(channel, Destination.guest(guest));
            connection.connect(qp, SERVICE, CmParameters.standard().withPrivateData(PrivateData.of("anybody there?")));
            var event = channel.await(PATIENCE).orElseThrow(() -> new IllegalStateException("no answer"));
            if (event.type() == CmEvent.Type.ESTABLISHED) {
                return event;
            }
            connection.close();
            if (event.reject() != RejectReason.INVALID_SERVICE_ID || System.nanoTime() > endNanos) {
                throw new IllegalStateException(event.type() + " (" + event.status() + ", " + event.reject() + ")");
            }
            Thread.sleep(100);
        }
    }

    private static void posted(QueuePair qp, VerbsStatus status) throws VerbsException {
        if (status != VerbsStatus.SUCCESS) {
            throw new VerbsException(status, qp.explainPost());
        }
    }

    /** The next event; anything but {@code type} says why it is not. */
    private static CmEvent next(CmChannel channel, CmEvent.Type type) throws VerbsException {
        var event = channel.await(PATIENCE).orElseThrow(() -> new IllegalStateException("no " + type));
        if (event.type() != type) {
            throw new IllegalStateException(event.type() + " (" + event.status() + ", " + event.reject() + "), not " + type);
        }
        return event;
    }

    private static String await(CompletionQueue cq) throws VerbsException {
        var completions = new WorkCompletion[] {new WorkCompletion()};
        if (cq.poll(completions, PATIENCE) == 0) {
            throw new VerbsException(VerbsStatus.ETIMEDOUT, "no completion");
        }
        return completions[0].explain();
    }
}
