package io.hyperverbs.lab.attacks.raw;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** A queue pair whose rings are written by hand. One thread. */
public final class RawQp {
    /** Sizes of all of them. */
    public static final QpLimits LIMITS = QpLimits.of(16, 16).withSge(4, 4);

    private static final int PSN = 0x1000;
    private static final Set<Access> ALL =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private final RawDevice device;
    private final RawRegion ring;
    private final ControlReply.QpCreated made;
    private final QpType type;
    private final QueueGeometry geometry;
    private int producer;

    private RawQp(RawDevice device, RawRegion ring, ControlReply.QpCreated made, QpType type) {
        this.device = device;
        this.ring = ring;
        this.made = made;
        this.type = type;
        this.geometry = geometry();
    }

    public static RawQp create(RawDevice device, long pd, RawCq cq, QpType type) throws VerbsException {
        RawRegion ring = device.ring(geometry().totalBytes());
        return new RawQp(
                device,
                ring,
                device.expect(
                        new ControlRequest.CreateQp(pd, type.code(), cq.handle(), cq.handle(), ring.handle(), LIMITS),
                        ControlReply.QpCreated.class),
                type);
    }

    private static QueueGeometry geometry() {
        return QueueGeometry.of(LIMITS);
    }

    public long handle() {
        return made.qp();
    }

    public int qpn() {
        return made.qpn();
    }

    public int slot() {
        return made.slot();
    }

    /** Both rings and their indexes. */
    public MemorySegment memory() {
        return ring.memory();
    }

    public RawRegion ring() {
        return ring;
    }

    /** Where this side can be reached; no memory is offered. */
    public Endpoint endpoint(int lid) {
        return new Endpoint(lid, made.qpn(), PSN, 0, 0, 0);
    }

    /** RESET to RTS towards that peer; short retries for RC, so that silence is soon over. */
    public void connect(Endpoint peer) throws VerbsException {
        connect(peer, PSN);
    }

    /** The same, with the PSN of its first packet. */
    public void connect(Endpoint peer, int psn) throws VerbsException {
        modify(QpAttributes.toInit(ALL));
        if (type == QpType.UC) {
            modify(QpAttributes.toUcRtr(peer));
            modify(QpAttributes.toUnacknowledgedRts(psn));
        } else {
            modify(QpAttributes.toRtr(peer));
            modify(QpAttributes.toRts(psn)
                    .with(QpAttribute.TIMEOUT, 4)
                    .with(QpAttribute.RETRY_CNT, 1)
                    .with(QpAttribute.RNR_RETRY, 0));
        }
    }

    /** To RESET, with empty rings: what is in them at RTS would be executed. */
    public void reset() throws VerbsException {
        modify(QpAttributes.to(QpState.RESET));
        producer = 0;
        QueueIndexes.sendProducerRelease(memory(), 0, 0);
        QueueIndexes.receiveProducerRelease(memory(), 0, 0);
    }

    public void modify(QpAttributes attributes) throws VerbsException {
        device.expect(new ControlRequest.ModifyQp(made.qp(), attributes), ControlReply.Done.class);
    }

    /** The state the backend says it is in. */
    public QpState state() throws VerbsException {
        return device.expect(new ControlRequest.QueryQp(made.qp()), ControlReply.QpQueried.class)
                .attributes()
                .state();
    }

    /** Byte offset in {@link #memory} of the next send slot, which is cleared. */
    public long nextSlot() {
        long slot = geometry.sendSlot(producer);
        memory().asSlice(slot, geometry.sendStrideBytes()).fill((byte) 0);
        return slot;
    }

    public int strideBytes() {
        return geometry.sendStrideBytes();
    }

    /** Fills the next slot with a request of one piece; nothing is published. */
    public long fill(long wrId, int opcode, int flags, int lkey, long address, int lengthBytes) {
        long slot = nextSlot();
        SendWqeLayout.writeHead(memory(), slot, wrId, opcode, flags);
        SendWqeLayout.writeSegmentCount(memory(), slot, 1);
        SendWqeLayout.writeSegment(memory(), slot, 0, address, lengthBytes, lkey);
        return slot;
    }

    /** Publishes the next slot and rings. */
    public void publish() {
        publish(++producer);
    }

    /** Writes that producer index, whatever it says, and rings. */
    public void publish(int index) {
        QueueIndexes.sendProducerRelease(memory(), 0, index);
        device.ring(made.slot());
    }

    /** Free-running index after the last published request. */
    public int producer() {
        return producer;
    }
}
