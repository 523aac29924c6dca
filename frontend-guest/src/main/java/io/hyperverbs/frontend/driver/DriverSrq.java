package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.path.RingMemory;
import io.hyperverbs.frontend.path.SrqEnds;
import io.hyperverbs.frontend.path.SrqPort;
import io.hyperverbs.frontend.post.RecordPosting;
import io.hyperverbs.frontend.post.SharedReceivePosting;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.hca.layout.SharedReceiveRing;
import io.hyperverbs.hca.layout.SrqGeometry;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqAttributes;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.AttributeText;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shared receive queue. Posting and resizing are for one thread at a time, the rest for any. */
final class DriverSrq extends VerbsNode implements SharedReceiveQueue {
    private final DriverPd pd;
    private final ControlReply.SrqCreated created;
    private final int receiveSge;
    private final SharedReceiveRing ring;
    private final SrqPort port;
    private final SharedReceivePosting receives;
    private RingMemory memory;

    private DriverSrq(
            DriverPd pd, ControlReply.SrqCreated created, int receiveSge, SrqGeometry geometry, RingMemory memory) {
        this.pd = pd;
        this.created = created;
        this.receiveSge = receiveSge;
        this.memory = memory;
        this.ring = new SharedReceiveRing(memory.memory(), geometry);
        DriverContext context = pd.driverContext();
        this.port = context.path().attach(new SrqEnds(created.srq(), ring, () -> ask().headIndex()));
        this.receives = new SharedReceivePosting(
                ring, port, receiveSge, context.parts().trace(), created.srqn(), context.pathWord());
    }

    static DriverSrq create(DriverPd pd, SrqLimits asked) throws VerbsException {
        return create(pd, asked, null, null);
    }

    /** With XRC: in {@code xrcd}, its receives complete in {@code cq}; else both are null. */
    static DriverSrq create(DriverPd pd, SrqLimits asked, @Nullable DriverXrcDomain xrcd, @Nullable DriverCq cq)
            throws VerbsException {
        SrqGeometry geometry = geometry(asked.receiveWr(), asked.receiveSge());
        DriverContext context = pd.driverContext();
        DriverParts parts = context.parts();
        try (Rollback undo = new Rollback()) {
            RingMemory memory = context.path().takeRing(geometry.totalBytes());
            undo.add(memory::release);
            ControlReply.SrqCreated created = parts.verbs()
                    .call(
                            new ControlRequest.CreateSrq(
                                    pd.handle(),
                                    asked,
                                    memory.handle(),
                                    xrcd == null ? 0 : xrcd.handle(),
                                    cq == null ? 0 : cq.handle()),
                            ControlReply.SrqCreated.class);
            undo.add(() -> parts.verbs().destroy(ObjectKind.SRQ, created.srq()));
            DriverSrq srq = new DriverSrq(pd, created, asked.receiveSge(), geometry, memory);
            srq.dependOn(pd);
            if (xrcd != null && cq != null) {
                srq.dependOn(xrcd);
                srq.dependOn(cq);
                srq.port.completesIn(cq.port());
            }
            context.asyncEvents().admit(AsyncEvent.Subject.SRQ, created.srqn());
            context.sharedQueues().add(created.srqn(), srq.port);
            undo.keep();
            return srq;
        }
    }

    /** {@code queue} if it is one of {@code context}. */
    static DriverSrq of(SharedReceiveQueue queue, DriverContext context) throws VerbsException {
        if (!(queue instanceof DriverSrq srq) || srq.pd.driverContext() != context) {
            throw new VerbsException(VerbsStatus.EINVAL, "shared receive queue of another context");
        }
        srq.requireOpen();
        return srq;
    }

    @Override
    public ProtectionDomain pd() {
        return pd;
    }

    @Override
    public int srqn() {
        return created.srqn();
    }

    @Override
    public synchronized SrqLimits limits() {
        return new SrqLimits(ring.geometry().entries(), receiveSge);
    }

    @Override
    public SrqAttributes query() throws VerbsException {
        requireOpen();
        ControlReply.SrqQueried now = ask();
        return new SrqAttributes(new SrqLimits(now.entries(), receiveSge), now.limit());
    }

    @Override
    public void armLimit(int limit) throws VerbsException {
        requireOpen();
        pd.driverContext()
                .parts()
                .verbs()
                .call(new ControlRequest.ArmSrq(created.srq(), limit), ControlReply.Done.class);
    }

    @Override
    public synchronized void resize(int receiveWr) throws VerbsException {
        requireOpen();
        SrqGeometry geometry = geometry(receiveWr, receiveSge);
        int outstanding = ring.geometry().entries() - port.free();
        if (outstanding > geometry.entries()) {
            // What completed on a forwarded path may be known to the HCA alone.
            outstanding = ring.producer() - ask().headIndex();
        }
        if (outstanding > geometry.entries()) {
            throw new VerbsException(
                    VerbsStatus.EINVAL, outstanding + " receives are posted, no room in " + geometry.entries());
        }
        DriverContext context = pd.driverContext();
        RingMemory old = memory;
        try (Rollback undo = new Rollback()) {
            RingMemory other = context.path().takeRing(geometry.totalBytes());
            undo.add(other::release);
            port.resize(
                    other,
                    geometry,
                    () -> context.parts()
                            .verbs()
                            .call(
                                    new ControlRequest.ResizeSrq(created.srq(), receiveWr, other.handle()),
                                    ControlReply.Done.class));
            memory = other;
            undo.keep();
        }
        old.release();
    }

    @Override
    public VerbsStatus postReceive(List<ReceiveWorkRequest> requests) {
        return RecordPosting.post(receives, requests);
    }

    @Override
    public ReceivePoster receives() {
        return receives;
    }

    @Override
    public String describe() {
        return "srq " + AttributeText.number24(created.srqn());
    }

    @Override
    protected void destroy() throws VerbsException {
        DriverContext context = pd.driverContext();
        context.asyncEvents()
                .end(
                        AsyncEvent.Subject.SRQ,
                        created.srqn(),
                        () -> context.parts().verbs().destroy(ObjectKind.SRQ, created.srq()));
        port.close();
        receives.close();
        pd.driverContext().sharedQueues().remove(created.srqn());
        memory.release();
    }

    long handle() {
        return created.srq();
    }

    SrqPort port() {
        return port;
    }

    private ControlReply.SrqQueried ask() throws VerbsException {
        return pd.driverContext()
                .parts()
                .verbs()
                .call(new ControlRequest.QuerySrq(created.srq()), ControlReply.SrqQueried.class);
    }

    private static SrqGeometry geometry(int receiveWr, int receiveSge) throws VerbsException {
        if (!SrqGeometry.isValid(receiveWr, receiveSge)) {
            throw new VerbsException(
                    VerbsStatus.EINVAL, "sizes beyond what the HCA takes: " + receiveWr + ", " + receiveSge);
        }
        return SrqGeometry.of(receiveWr, receiveSge);
    }
}
