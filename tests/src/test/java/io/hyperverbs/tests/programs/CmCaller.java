package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;
import java.time.Duration;

/** Connects to a guest and prints how that ended. Argument: the guest's name. */
public final class CmCaller {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private CmCaller() {}

    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        domain.store().await(args[0], "up", PATIENCE);
        try (Context context = domain.devices().getFirst().open();
                ProtectionDomain pd = context.allocatePd();
                Peer peer = new Peer(context, pd);
                CmChannel channel = ConnectionManager.of(context).createChannel();
                CmConnection connection = ConnectionManager.of(context).resolve(channel, Destination.guest(args[0]))) {
            connection.connect(peer.qp, CmCallee.SERVICE, CmParameters.standard());
            // The peer is gone, so nothing is to be said to it: the wait is over by itself, soon.
            System.out.println(text(channel) + ", " + text(channel) + ", " + text(channel));
        }
    }

    private static String text(CmChannel channel) throws Exception {
        CmEvent event = channel.await(PATIENCE).orElseThrow();
        return event.type() + " " + event.status() + " of " + event.guest();
    }
}
