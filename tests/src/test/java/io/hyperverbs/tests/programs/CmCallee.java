package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import java.time.Duration;

/** Takes calls, says how many are established, and waits until it is killed. Argument: how many. */
public final class CmCallee {
    static final long SERVICE = 0x4856_4d54;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private CmCallee() {}

    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        Context context = domain.devices().getFirst().open();
        ProtectionDomain pd = context.allocatePd();
        CmChannel channel = ConnectionManager.of(context).createChannel();
        int expected = Integer.parseInt(args[0]);
        var _ = ConnectionManager.of(context).listen(channel, SERVICE, expected);
        domain.store().write("up", "yes");
        int established = 0;
        while (established < expected) {
            CmEvent event = channel.await(PATIENCE).orElseThrow();
            switch (event.type()) {
                case CONNECT_REQUEST -> event.connection().accept(new Peer(context, pd).qp, CmParameters.standard());
                case ESTABLISHED -> established++;
                default -> throw new IllegalStateException("event " + event);
            }
        }
        domain.store().write("connected", Integer.toString(established));
        // Nobody disconnects: only its death ends this.
        channel.await(PATIENCE);
        throw new IllegalStateException("still alive after " + PATIENCE);
    }
}
