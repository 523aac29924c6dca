package io.hyperverbs.lab.attacks.raw;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;

/**
 * Two connected queue pairs of the attacker, one completion queue each, and memory on each side.
 */
public final class RawPair {
    /** All that may be given. */
    public static final int ALL = Access.LOCAL_WRITE.bit()
            | Access.REMOTE_WRITE.bit()
            | Access.REMOTE_READ.bit()
            | Access.REMOTE_ATOMIC.bit();

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LID = 1;

    private final RawDevice device;
    private final long pd;
    private final RawCq cq;
    private final RawCq peerCq;
    private final RawQp qp;
    private final RawQp peer;
    private final RawRegion local;
    private final RawRegion remote;
    private long wrId;

    /** Connected on a PD of its own. */
    public RawPair(RawDevice device, QpType type) throws VerbsException {
        this.device = device;
        pd = device.pd();
        cq = device.cq(64);
        peerCq = device.cq(64);
        qp = RawQp.create(device, pd, cq, type);
        peer = RawQp.create(device, pd, peerCq, type);
        local = device.region(pd, 4096, ALL);
        remote = device.region(pd, 4096, ALL);
        connect();
    }

    private void connect() throws VerbsException {
        peer.connect(qp.endpoint(LID));
        qp.connect(peer.endpoint(LID));
    }

    /** After an error: both to RESET and on to RTS again. */
    public void reconnect() throws VerbsException {
        qp.reset();
        peer.reset();
        int _ = cq.drain();
        int _ = peerCq.drain();
        connect();
    }

    public RawDevice device() {
        return device;
    }

    /** Handle of their PD. */
    public long pd() {
        return pd;
    }

    public RawQp qp() {
        return qp;
    }

    public RawQp peer() {
        return peer;
    }

    public RawCq cq() {
        return cq;
    }

    public RawRegion local() {
        return local;
    }

    public RawRegion remote() {
        return remote;
    }

    /** Posts one request with one piece of memory, signalled; its number. */
    public long post(int opcode, int lkey, long address, int length, long to, int rkey) {
        long _ = fill(opcode, lkey, address, length, to, rkey);
        qp.publish();
        return wrId;
    }

    /** Fills a request as {@link #post} does and leaves it at that; its offset in the ring. */
    public long fill(int opcode, int lkey, long address, int length, long to, int rkey) {
        long slot = qp.fill(++wrId, opcode, SendFlags.SIGNALLED, lkey, address, length);
        SendWqeLayout.writeRemote(qp.memory(), slot, to, rkey);
        return slot;
    }

    /** Posts a write of 64 bytes with keys and addresses that are right. */
    public void write() {
        long _ = post();
    }

    /** The same; its number. */
    public long post() {
        long _ = fillWrite();
        qp.publish();
        return wrId;
    }

    /** Fills such a write and leaves it at that; its offset in the ring. */
    public long fillWrite() {
        return fill(
                SendWqeLayout.OPCODE_RDMA_WRITE, local.lkey(), local.address(), 64, remote.address(), remote.rkey());
    }

    /** Status of the next completion of the sending side; null if none comes. */
    public VerbsStatus outcome() throws VerbsException {
        RawCq.Entry entry = cq.await(PATIENCE);
        if (entry == null) {
            throw new VerbsException(VerbsStatus.ETIMEDOUT, "no completion within " + PATIENCE.toSeconds() + " s");
        }
        return entry.status();
    }

    /** Whether an honest write of 64 bytes still works, after connecting anew. */
    public boolean works() throws VerbsException {
        reconnect();
        write();
        return outcome() == VerbsStatus.SUCCESS;
    }
}
