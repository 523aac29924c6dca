import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
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
 * Reads the memory of another guest again and again until a read fails. Arguments: offer or read, the peer, and maybe the
 * code of the ack timeout.
 */
public final class KeepsReading {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STANDARD_TIMEOUT = 14;

    public static void main(String[] args) throws VerbsException {
        var domain = Domain.current();
        var store = domain.store();
        var rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
        var memory = domain.memory().allocate(256, 64);
        try (var context = domain.devices().getFirst().open();
                var pd = context.allocatePd();
                var region = pd.register(memory, rights);
                var cq = context.createCq(8, null);
                var qp = pd.createRc(QpLimits.of(4, 1), cq, cq)) {
            store.write("reads/endpoint", qp.endpoint(1, region).format());
            var peer = Endpoint.parse(store.await(args[1], "reads/endpoint", PATIENCE));
            qp.modify(QpAttributes.toInit(rights));
            qp.modify(QpAttributes.toRtr(peer));
            var patience = args.length > 2 ? Integer.parseInt(args[2]) : STANDARD_TIMEOUT;
            qp.modify(QpAttributes.toRts(1).with(QpAttribute.TIMEOUT, patience));
            store.write("reads/connected", "1");
            store.await(args[1], "reads/connected", PATIENCE);
            if (args[0].equals("offer")) {
                store.await(args[1], "reads/done", Duration.ofMinutes(10));
                return;
            }
            var completions = new WorkCompletion[] {new WorkCompletion()};
            var sges = List.of(region.sge(0, 256));
            for (long read = 1; ; read++) {
                var posted = qp.postSend(new RdmaRead(read, SendFlags.SIGNALLED, sges, peer.address(), peer.rkey()));
                if (posted != VerbsStatus.SUCCESS || cq.poll(completions, PATIENCE) == 0) {
                    throw new VerbsException(VerbsStatus.ETIMEDOUT, "read " + read + " has no completion");
                }
                if (completions[0].status() != VerbsStatus.SUCCESS) {
                    System.out.println("after " + read + " reads: " + completions[0].status());
                    return;
                }
                if (read == 100) {
                    System.out.println("reads");
                }
            }
        }
    }
}
