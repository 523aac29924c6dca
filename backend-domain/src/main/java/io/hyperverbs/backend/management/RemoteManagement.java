package io.hyperverbs.backend.management;

import io.hyperverbs.backend.cm.Callee;
import io.hyperverbs.backend.cm.RemoteConnections;
import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.backend.gsi.Outbox;
import io.hyperverbs.backend.gsi.SourceBudgets;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.sa.GuestAnswers;
import io.hyperverbs.backend.sa.GuestDirectory;
import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.hca.roce.ManagementDatagram;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * What managers of other HCAs say to this one's. Datagrams are taken and sent by one thread, which may wait for the
 * engine and has no lock then; everything else is under the lock of {@link Management}.
 */
final class RemoteManagement {
    private static final int PORT = 1;

    /** REQs whose caller is being looked for. */
    static final int MAX_HELD = 64;

    static final int MAX_HELD_OF_ADDRESS = 16;

    /** Longer than it takes to look; the caller sends it again meanwhile. */
    static final long MAX_HELD_NANOS = GuestDirectory.LOOK_NANOS + TimeUnit.SECONDS.toNanos(1);

    private final GsiPort gsi;
    private final int pkey;
    private final boolean asksOthers;
    private final Outbox outbox = new Outbox();
    private final SourceBudgets budgets = new SourceBudgets();
    private final RemoteConnections connections;
    private final GuestDirectory directory;
    private final GuestAnswers answers;
    private final ManagementDatagram arrived = new ManagementDatagram();
    private final ArrayDeque<Held> held = new ArrayDeque<>();

    /** A REQ that is looked at again when something more is known. */
    private static final class Held {
        final byte[] mad;
        final int address;
        final int qpn;
        final long untilNanos;

        Held(ManagementDatagram datagram, long untilNanos) {
            this.mad = datagram.mad().clone();
            this.address = datagram.address;
            this.qpn = datagram.qpn;
            this.untilNanos = untilNanos;
        }
    }

    RemoteManagement(GsiPort gsi, NeighbourHcas neighbours, Subnet subnet) {
        SecureRandom random = new SecureRandom();
        this.gsi = gsi;
        this.pkey = subnet.pkey();
        this.asksOthers = !neighbours.addresses().isEmpty();
        this.connections = new RemoteConnections(subnet.localPort(), outbox, budgets, random);
        this.directory = new GuestDirectory(neighbours, outbox, random);
        this.answers = new GuestAnswers(neighbours, subnet, outbox, subnet.mtuBytes());
        neighbours.addresses().forEach(budgets::know);
    }

    /** Whether there are other HCAs in the topology. */
    boolean asksOthers() {
        return asksOthers;
    }

    RemoteConnections connections() {
        return connections;
    }

    GuestDirectory directory() {
        return directory;
    }

    /** Takes the next datagram that is worth a look; false if there is none. Its thread, without the lock. */
    boolean next() {
        return gsi.next(arrived);
    }

    /** Does what the datagram of {@link #next} says. */
    void receive(Callee callee, long nowNanos) {
        byte[] mad = arrived.mad();
        if (arrived.port != PORT
                || MadHeaderLayout.BASE_VERSION.get(mad) != MadHeaderLayout.VERSION
                || MadHeaderLayout.CLASS_VERSION.get(mad) != MadHeaderLayout.CLASS_VERSION_2
                || !budgets.take(arrived.address, nowNanos)) {
            return;
        }
        int madClass = MadHeaderLayout.CLASS.getInt(mad);
        int method = MadHeaderLayout.METHOD.getInt(mad);
        if (madClass == MadHeaderLayout.CONNECTION_MANAGEMENT && method == MadHeaderLayout.SEND) {
            if (!connections.receive(mad, arrived.address, arrived.qpn, callee, nowNanos)) {
                hold(nowNanos);
            }
        } else if (madClass == MadHeaderLayout.SUBNET_ADMINISTRATION && method == MadHeaderLayout.GET) {
            answers.answer(mad, arrived.address, arrived.qpn);
        } else if (madClass == MadHeaderLayout.SUBNET_ADMINISTRATION && method == MadHeaderLayout.GET_RESPONSE) {
            directory.receive(mad, arrived.address, nowNanos);
            release(callee, nowNanos);
        }
    }

    private void hold(long nowNanos) {
        long ofAddress =
                held.stream().filter(one -> one.address == arrived.address).count();
        if (held.size() < MAX_HELD && ofAddress < MAX_HELD_OF_ADDRESS) {
            held.add(new Held(arrived, nowNanos + MAX_HELD_NANOS));
        }
    }

    /** Sends again what has no answer; how many. */
    int doWork(Callee callee, long nowNanos) {
        int looked = directory.doWork(nowNanos);
        if (looked > 0) {
            release(callee, nowNanos);
        }
        return looked + connections.doWork(nowNanos);
    }

    /** Looks at REQs again, once each. */
    private void release(Callee callee, long nowNanos) {
        for (int left = held.size(); left > 0; left--) {
            Held call = held.remove();
            if (call.untilNanos > nowNanos
                    && !connections.receive(call.mad, call.address, call.qpn, callee, nowNanos)) {
                held.add(call);
            }
        }
    }

    /**
     * When {@link #doWork} has something to do next; the largest number: not before a datagram comes, or who has one to
     * send wakes its thread.
     */
    long nextNanos() {
        return Math.min(directory.next(), connections.next());
    }

    /** Sends what is to be sent; how many. Its thread, without the lock. */
    int send() {
        int sent = 0;
        for (Outbox.Mad mad : outbox.takeAll()) {
            ManagementDatagram datagram = new ManagementDatagram();
            mad.into(datagram);
            datagram.port = PORT;
            datagram.pkey = pkey;
            gsi.send(datagram);
            sent++;
        }
        return sent;
    }

    void onArrival(Runnable action) {
        gsi.onArrival(action);
    }
}
