import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.RdmaRead;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/**
 * Connects to a guest by its name and reads its memory again and again until a read fails; then says what the connection
 * manager makes of it. Arguments: offer, or read and the guest.
 */
public final class ReadsByName {
    private static final long SERVICE = 0x7265_6164;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    public static void main(String[] args) throws Exception {
        var domain = Domain.current();
        var rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
        var memory = domain.memory().allocate(256, 64);
        try (var context = domain.devices().getFirst().open();
                var pd = context.allocatePd();
                var region = pd.register(memory, rights);
                var cq = context.createCq(8, null);
                var qp = pd.createRc(QpLimits.of(4, 1), cq, cq);
                var channel = ConnectionManager.of(context).createChannel()) {
            var manager = ConnectionManager.of(context);
            if (args[0].equals("offer")) {
                try (var listener = manager.listen(channel, SERVICE, 1)) {
                    System.out.println("offers");
                    var request = channel.await(Duration.ofMinutes(10)).orElseThrow();
                    qp.modify(QpAttributes.toInit(rights));
                    var key = PrivateData.of(region.address() + " " + region.rkey());
                    request.connection().accept(qp, CmParameters.standard().withPrivateData(key));
                    while (true) {
                        var event = channel.await(Duration.ofMinutes(10)).orElseThrow();
                        System.out.println("peer: " + event.type());
                        if (event.type() == CmEvent.Type.DISCONNECTED) {
                            request.connection().close();
                            return;
                        }
                    }
                }
            }
            CmEvent event = call(manager, channel, qp, args[1]);
            while (event.reject() == RejectReason.INVALID_SERVICE_ID) {
                // Nobody listens yet.
                event.connection().close();
                event = call(manager, channel, qp, args[1]);
            }
            var key = event.privateData().text().strip().split(" ");
            var address = Long.parseLong(key[0]);
            var rkey = Integer.parseInt(key[1].replaceAll("[^-0-9]", ""));
            var completions = new WorkCompletion[] {new WorkCompletion()};
            var sges = List.of(region.sge(0, 256));
            for (long read = 1; ; read++) {
                var posted = qp.postSend(new RdmaRead(read, SendFlags.SIGNALLED, sges, address, rkey));
                if (posted != VerbsStatus.SUCCESS || cq.poll(completions, PATIENCE) == 0) {
                    throw new VerbsException(VerbsStatus.ETIMEDOUT, "read " + read + " has no completion");
                }
                if (completions[0].status() != VerbsStatus.SUCCESS) {
                    System.out.println("after " + read + " reads: " + completions[0].status());
                    break;
                }
                if (read == 100) {
                    System.out.println("reads");
                }
            }
            System.out.println("connection: " + end(channel, event.connection()).type());
            event.connection().close();
        }
    }

    private static CmEvent end(CmChannel channel, CmConnection connection) throws VerbsException {
        // A device domain that still lived when its guest ended has sent a DREQ: then there is nothing to disconnect,
        // and the connection may be past its TIMEWAIT.
        var end = channel.await(Duration.ZERO);
        if (end.isEmpty()) {
            connection.disconnect(PrivateData.none());
            end = channel.await(PATIENCE);
        }
        return end.orElseThrow();
    }

    private static CmEvent call(ConnectionManager manager, CmChannel channel, RcQueuePair qp, String guest)
            throws VerbsException {
        manager.resolve(channel, Destination.guest(guest)).connect(qp, SERVICE, CmParameters.standard());
        return channel.await(PATIENCE).orElseThrow();
    }
}
