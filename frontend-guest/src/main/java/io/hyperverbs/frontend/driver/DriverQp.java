package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.path.CreatedQp;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.path.QpPort;
import io.hyperverbs.frontend.path.RingMemory;
import io.hyperverbs.frontend.post.CachedQpState;
import io.hyperverbs.frontend.post.PostTrace;
import io.hyperverbs.frontend.post.ReceivePosting;
import io.hyperverbs.frontend.post.RecordPosting;
import io.hyperverbs.frontend.post.RejectingReceivePoster;
import io.hyperverbs.frontend.post.SendPosting;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair of any transport; {@link #create} gives the typed one. Posting is for one thread at
 * a time per queue, the rest for any.
 */
abstract sealed class DriverQp extends VerbsNode implements QueuePair permits DriverRcQp, DriverUcQp, DriverUdQp {
    private final DriverPd pd;
    private final ControlReply.QpCreated created;
    private final RingMemory memory;
    private final QpLimits limits;
    private final DriverCq sendCq;
    private final DriverCq receiveCq;
    private final QpRings rings;
    private final QpPort port;
    private final CachedQpState cached = new CachedQpState();
    private final SendPosting sends;
    private final ReceivePoster receives;
    private final Supplier<String> receiveMistake;
    private final RecordPosting posting;

    /** A queue pair that the HCA has, with what belongs to it. */
    record Made(
            DriverPd pd,
            ControlReply.QpCreated created,
            RingMemory memory,
            QueueGeometry geometry,
            QpLimits asked,
            DriverCq sendCq,
            DriverCq receiveCq,
            @Nullable DriverSrq srq) {}

    /** Makes the typed queue pair. */
    interface Maker<Q extends DriverQp> {
        Q make(Made made);
    }

    DriverQp(Made made, QpType type) {
        this.pd = made.pd;
        this.created = made.created;
        this.memory = made.memory;
        this.sendCq = made.sendCq;
        this.receiveCq = made.receiveCq;
        QueueGeometry geometry = made.geometry;
        QpLimits asked = made.asked;
        this.limits = new QpLimits(
                geometry.sendEntries(),
                geometry.receiveEntries(),
                asked.sendSge(),
                asked.receiveSge(),
                asked.inlineBytes(),
                asked.allSignalled());
        SendRing sendRing = new SendRing(memory.memory(), 0, geometry);
        ReceiveRing receiveRing = new ReceiveRing(memory.memory(), 0, geometry);
        this.rings = new QpRings(sendRing, receiveRing);
        DriverContext context = pd.driverContext();
        this.port = context.path()
                .attach(new CreatedQp(
                        created.qp(),
                        created.slot(),
                        geometry,
                        sendRing,
                        receiveRing,
                        sendCq.port(),
                        receiveCq.port(),
                        made.srq == null ? null : made.srq.port()));
        PostTrace trace = new PostTrace(context.parts().trace(), created.qpn(), context.pathWord());
        this.sends =
                new SendPosting(sendRing, port, cached, asked.sendSge(), asked.inlineBytes(), type == QpType.UD, trace);
        if (type == QpType.XRC_SEND) {
            sends.namesSharedQueues();
        }
        if (made.srq == null && !type.isXrc()) {
            ReceivePosting own = new ReceivePosting(receiveRing, port, cached, asked.receiveSge(), trace);
            this.receives = own;
            this.receiveMistake = own::explain;
        } else {
            RejectingReceivePoster none = new RejectingReceivePoster();
            this.receives = none;
            this.receiveMistake = none::explain;
        }
        this.posting = new RecordPosting(context.parts().ram());
    }

    static <Q extends DriverQp> Q create(
            DriverPd pd,
            QpType type,
            QpLimits limits,
            DriverCq sendCq,
            DriverCq receiveCq,
            @Nullable DriverSrq srq,
            Maker<Q> maker)
            throws VerbsException {
        if (!QueueGeometry.isValid(limits)) {
            throw new VerbsException(VerbsStatus.EINVAL, "sizes beyond what the HCA takes: " + limits);
        }
        QueueGeometry geometry = QueueGeometry.of(limits);
        DriverContext context = pd.driverContext();
        DriverParts parts = context.parts();
        try (Rollback undo = new Rollback()) {
            RingMemory memory = context.path().takeRing(geometry.totalBytes());
            undo.add(memory::release);
            ControlReply.QpCreated created = parts.verbs()
                    .call(
                            new ControlRequest.CreateQp(
                                    pd.handle(),
                                    type.code(),
                                    sendCq.handle(),
                                    receiveCq.handle(),
                                    memory.handle(),
                                    limits,
                                    srq == null ? 0 : srq.handle()),
                            ControlReply.QpCreated.class);
            undo.add(() -> parts.verbs().destroy(ObjectKind.QP, created.qp()));
            Q qp = maker.make(new Made(pd, created, memory, geometry, limits, sendCq, receiveCq, srq));
            undo.add(() -> ((DriverQp) qp).port.close());
            undo.add(qp::abandon);
            ((DriverQp) qp).join(srq);
            undo.keep();
            return qp;
        }
    }

    private void join(@Nullable DriverSrq srq) throws VerbsException {
        dependOn(pd);
        dependOn(sendCq);
        if (receiveCq != sendCq) {
            dependOn(receiveCq);
        }
        if (srq != null) {
            dependOn(srq);
        }
        pd.driverContext().asyncEvents().admit(AsyncEvent.Subject.QP, created.qpn());
        sendCq.add(created.qpn(), rings);
        receiveCq.add(created.qpn(), rings);
    }

    @Override
    public ProtectionDomain pd() {
        return pd;
    }

    @Override
    public int qpn() {
        return created.qpn();
    }

    @Override
    public synchronized void modify(QpAttributes attributes) throws VerbsException {
        requireOpen();
        pd.driverContext()
                .parts()
                .verbs()
                .call(new ControlRequest.ModifyQp(created.qp(), attributes), ControlReply.Done.class);
        if (attributes.has(QpAttribute.STATE)) {
            QpState reached = attributes.state();
            cached.state(reached);
            if (reached == QpState.RESET) {
                // The HCA is done with the queue pair: nothing new arrives for it.
                rings.reset(sendCq, receiveCq);
            }
        }
    }

    @Override
    public QpAttributes query() throws VerbsException {
        requireOpen();
        QpAttributes attributes = pd.driverContext()
                .parts()
                .verbs()
                .call(new ControlRequest.QueryQp(created.qp()), ControlReply.QpQueried.class)
                .attributes();
        if (attributes.has(QpAttribute.STATE)) {
            cached.state(attributes.state());
        }
        return attributes;
    }

    @Override
    public QpLimits limits() {
        return limits;
    }

    @Override
    public VerbsStatus postSend(List<? extends SendWorkRequest> requests) {
        return posting.post(sends, requests);
    }

    @Override
    public VerbsStatus bind(long wrId, int flags, MemoryWindow window, WindowBinding binding) {
        if (type() == QpType.UD) {
            return VerbsStatus.EINVAL;
        }
        VerbsStatus allowed = DriverWindow.mayBind(window, binding);
        return allowed == VerbsStatus.SUCCESS
                ? RecordPosting.bind(sends, wrId, flags, (DriverWindow) window, binding)
                : allowed;
    }

    @Override
    public VerbsStatus postReceive(List<ReceiveWorkRequest> requests) {
        return RecordPosting.post(receives, requests);
    }

    @Override
    public String explainPost() {
        String ofSend = sends.explain();
        String ofReceive = receiveMistake.get();
        return ofSend.isEmpty() || ofReceive.isEmpty()
                ? ofSend + ofReceive
                : "send: " + ofSend + "; receive: " + ofReceive;
    }

    @Override
    public SendPoster sends() {
        return sends;
    }

    @Override
    public ReceivePoster receives() {
        return receives;
    }

    long handle() {
        return created.qp();
    }

    PrivilegedVerbs verbs() {
        return pd.driverContext().parts().verbs();
    }

    /** EINVAL if it is closed. */
    final void checkOpen() throws VerbsException {
        requireOpen();
    }

    @Override
    public String describe() {
        return "qp " + AttributeText.number24(created.qpn());
    }

    @Override
    protected void destroy() throws VerbsException {
        pd.driverContext().asyncEvents().end(AsyncEvent.Subject.QP, created.qpn(), this::destroyClosedToPosts);
        sendCq.remove(created.qpn());
        receiveCq.remove(created.qpn());
        port.close();
        memory.release();
    }

    private void destroyClosedToPosts() throws VerbsException {
        cached.close();
        try {
            verbs().destroy(ObjectKind.QP, created.qp());
        } catch (VerbsException e) {
            cached.reopen();
            throw e;
        }
    }
}
