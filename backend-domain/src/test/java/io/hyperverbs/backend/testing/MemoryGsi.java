package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.hca.roce.ManagementDatagram;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** QP1 of an HCA whose wire is a list: what it sends waits for the test, which hands it across. One thread. */
public final class MemoryGsi implements GsiPort {
    private final int address;
    private final ArrayDeque<ManagementDatagram> arrived = new ArrayDeque<>();

    /** All that it has sent, lost or not. */
    public final List<ManagementDatagram> sent = new ArrayList<>();

    private int handed;
    private Runnable arrival = () -> {};

    /** The wire loses what it is true of. */
    public Predicate<ManagementDatagram> loses = _ -> false;

    /** {@code address}: IPv4 address of its port. */
    public MemoryGsi(int address) {
        this.address = address;
    }

    @Override
    public boolean next(ManagementDatagram into) {
        ManagementDatagram oldest = arrived.poll();
        if (oldest != null) {
            copy(oldest, into);
        }
        return oldest != null;
    }

    @Override
    public void send(ManagementDatagram datagram) {
        sent.add(datagram);
    }

    @Override
    public void onArrival(Runnable action) {
        arrival = action;
    }

    /** Whether the driver has taken all that came. */
    public boolean isEmpty() {
        return arrived.isEmpty();
    }

    /** Hands what it has sent since the last time to the other side; how many. */
    public int handTo(MemoryGsi other) {
        int before = handed;
        for (; handed < sent.size(); handed++) {
            ManagementDatagram one = sent.get(handed);
            if (one.address == other.address && !loses.test(one)) {
                other.arrive(one.mad(), address);
            }
        }
        return handed - before;
    }

    /** A datagram comes from that address. */
    public void arrive(byte[] mad, int from) {
        arrive(mad, from, 1);
    }

    /** A datagram comes to that port. */
    public void arrive(byte[] mad, int from, int port) {
        ManagementDatagram datagram = new ManagementDatagram();
        datagram.port = port;
        datagram.address = from;
        datagram.pkey = 0xffff;
        System.arraycopy(mad, 0, datagram.mad(), 0, ManagementDatagram.MAD_BYTES);
        arrived.add(datagram);
        arrival.run();
    }

    private static void copy(ManagementDatagram from, ManagementDatagram into) {
        into.port = from.port;
        into.address = from.address;
        into.qpn = from.qpn;
        into.pkey = from.pkey;
        System.arraycopy(from.mad(), 0, into.mad(), 0, ManagementDatagram.MAD_BYTES);
    }
}
