package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Device;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;

/** Says which devices there are, and what comes of resolving guests. Arguments: their names. */
public final class Elsewhere {
    private Elsewhere() {}

    public static void main(String[] args) throws Exception {
        for (Device device : Domain.current().devices()) {
            System.out.println("device " + device.name());
        }
        try (Context context = Domain.current().devices().getFirst().open()) {
            System.out.println("lid " + context.queryPort(1).lid());
            System.out.println("gid 1 " + context.queryGid(1, 1));
            ConnectionManager manager = ConnectionManager.of(context);
            try (CmChannel channel = manager.createChannel()) {
                for (String guest : args) {
                    System.out.println(guest + ": " + resolve(manager, channel, guest));
                }
            }
        }
    }

    private static String resolve(ConnectionManager manager, CmChannel channel, String guest) {
        try {
            manager.resolve(channel, Destination.guest(guest)).close();
            return "found";
        } catch (VerbsException e) {
            return e.status() + " " + e.getMessage();
        }
    }
}
