package io.hyperverbs.backend.gsi;

import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.VerbsStatus;

/** QP1 of an HCA, for one thread at a time. */
public interface GsiPort {
    /** Takes the oldest datagram that came; false if there is none. */
    boolean next(ManagementDatagram into);

    /** Sends one; it may be lost. */
    void send(ManagementDatagram datagram);

    /** What the engine's thread calls when a datagram came: it must not block. */
    void onArrival(Runnable action);

    /** That of an HCA. */
    static GsiPort of(Hca hca) {
        return new GsiPort() {
            @Override
            public boolean next(ManagementDatagram into) {
                return hca.management().next(into);
            }

            @Override
            public void send(ManagementDatagram datagram) {
                VerbsStatus _ = hca.send(datagram);
            }

            @Override
            public void onArrival(Runnable action) {
                hca.management().onArrival(action);
            }
        };
    }

    /** That of an HCA without a wire. */
    static GsiPort none() {
        return new GsiPort() {
            @Override
            public boolean next(ManagementDatagram into) {
                return false;
            }

            @Override
            public void send(ManagementDatagram datagram) {
                // There is nobody.
            }

            @Override
            public void onArrival(Runnable action) {
                // None comes.
            }
        };
    }
}
