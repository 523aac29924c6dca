import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.RdmaRead;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/**
 * Reads a line out of another guest's memory, without that guest's program taking part:
 *
 * <pre>
 * hv up -d --topo pair
 * hv run --in b examples/ReadRemote.java offer a &amp;
 * hv run --in a examples/ReadRemote.java read b
 * </pre>
 */
public final class ReadRemote {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    public static void main(String[] args) throws VerbsException {
        if (args.length != 2 || !List.of("offer", "read").contains(args[0])) {
            System.err.println("usage: ReadRemote offer|read PEER");
            return;
        }
        boolean offers = args[0].equals("offer");
        String peerName = args[1];
        var domain = Domain.current();
        var store = domain.store();
        var rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
        var memory = domain.memory().allocate(256, 64);
        try (var context = domain.devices().getFirst().open();
                var pd = context.allocatePd();
                var region = pd.register(memory, rights);
                var cq = context.createCq(8, null);
                var qp = pd.createRc(QpLimits.of(4, 1), cq, cq)) {
            if (offers) {
                memory.setString(0, "these bytes lie in the memory of " + domain.name());
            }
            // Both sides tell the other where they are, connect, and say that they are connected.
            store.write("readremote/endpoint", qp.endpoint(1, region).format());
            var peer = Endpoint.parse(store.await(peerName, "readremote/endpoint", PATIENCE));
            qp.connect(peer, 1, rights);
            store.write("readremote/connected", "1");
            store.await(peerName, "readremote/connected", PATIENCE);
            if (offers) {
                store.await(peerName, "readremote/done", PATIENCE);
                System.out.println(domain.name() + " did nothing but wait");
            } else {
                var read =
                        new RdmaRead(
                                1,
                                SendFlags.SIGNALLED,
                                List.of(region.sge(0, 256)),
                                peer.address(),
                                peer.rkey());
                var posted = qp.postSend(read);
                if (posted != VerbsStatus.SUCCESS) {
                    throw new VerbsException(posted, qp.explainPost());
                }
                var completions = new WorkCompletion[] {new WorkCompletion()};
                if (cq.poll(completions, PATIENCE) == 0) {
                    throw new VerbsException(VerbsStatus.ETIMEDOUT, "no completion");
                }
                System.out.println(completions[0].explain() + ": " + memory.getString(0));
                store.write("readremote/done", "1");
            }
        } finally {
            // The store keeps keys until their domain ends; another run must not find these.
            store.remove("readremote/endpoint");
            store.remove("readremote/connected");
        }
        domain.memory().free(memory);
    }
}
