package io.hyperverbs.backend.gsi;

import io.hyperverbs.hca.roce.ManagementDatagram;
import java.util.ArrayList;
import java.util.List;

/**
 * Datagrams that managers want sent, until the thread that may wait for the engine sends them. A full one loses what
 * comes, as datagrams may be lost. Any thread.
 */
public final class Outbox {
    static final int MAX = 4096;

    private List<Mad> mads = new ArrayList<>();

    /** One datagram on its way. */
    public static final class Mad {
        private final int address;
        private final int qpn;
        private final byte[] bytes;

        private Mad(int address, int qpn, byte[] bytes) {
            this.address = address;
            this.qpn = qpn;
            this.bytes = bytes;
        }

        /** Writes all of it but its port and P_Key. */
        public void into(ManagementDatagram datagram) {
            datagram.address = address;
            datagram.qpn = qpn;
            System.arraycopy(bytes, 0, datagram.mad(), 0, ManagementDatagram.MAD_BYTES);
        }
    }

    /**
     * Adds a datagram.
     *
     * @param address IPv4 address of the other port, its first byte in the highest bits
     * @param qpn of the general services there
     * @param bytes all of it; nobody changes them any more
     */
    public synchronized void add(int address, int qpn, byte[] bytes) {
        if (mads.size() < MAX) {
            mads.add(new Mad(address, qpn, bytes));
        }
    }

    /** Takes all, in the order in which they were added. */
    public synchronized List<Mad> takeAll() {
        List<Mad> taken = mads;
        mads = new ArrayList<>();
        return taken;
    }
}
