package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.cache.DriverRegistrationCache;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DmaKey;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.RegistrationCache;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.UcQueuePair;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A protection domain. Any thread. */
final class DriverPd extends VerbsNode implements ProtectionDomain {
    private final DriverContext context;
    private final long handle;
    private final int number;
    // The one it stands for, whose handle it has; of the HCA it has nothing itself.
    private final @Nullable DriverPd parent;

    private DriverPd(DriverContext context, long handle, int number, @Nullable DriverPd parent) {
        this.context = context;
        this.handle = handle;
        this.number = number;
        this.parent = parent;
    }

    static DriverPd parentDomain(DriverPd of) throws VerbsException {
        if (of.parent != null) {
            throw new VerbsException(VerbsStatus.EINVAL, of.describe() + " has a parent itself");
        }
        DriverPd domain = new DriverPd(of.context, of.handle, of.number, of);
        domain.dependOn(of);
        return domain;
    }

    static DriverPd allocate(DriverContext context) throws VerbsException {
        return allocate(context, new ControlRequest.AllocatePd(context.handle()));
    }

    /** The HCA's side of an XRC domain. */
    static DriverPd ofXrc(DriverContext context) throws VerbsException {
        return allocate(context, new ControlRequest.OpenXrcd(context.handle()));
    }

    private static DriverPd allocate(DriverContext context, ControlRequest request) throws VerbsException {
        try (Rollback undo = new Rollback()) {
            ControlReply.PdAllocated reply = context.parts().verbs().call(request, ControlReply.PdAllocated.class);
            undo.add(() -> context.parts().verbs().destroy(ObjectKind.PD, reply.pd()));
            DriverPd pd = new DriverPd(context, reply.pd(), reply.number(), null);
            pd.dependOn(context);
            undo.keep();
            return pd;
        }
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public MemoryRegion register(MemorySegment buffer, Set<Access> access) throws VerbsException {
        requireOpen();
        return DriverRegion.register(this, buffer, buffer.address(), access);
    }

    @Override
    public MemoryRegion register(MemorySegment buffer, long address, Set<Access> access) throws VerbsException {
        requireOpen();
        return DriverRegion.register(this, buffer, address, access);
    }

    @Override
    public RegistrationCache createRegistrationCache() throws VerbsException {
        return DriverRegistrationCache.create(
                this, this::register, context.parts().cached());
    }

    @Override
    public DmaKey allocateDmaKey() throws VerbsException {
        requireOpen();
        return DriverDmaKey.allocate(this);
    }

    @Override
    public MemoryWindow allocateWindow(MemoryWindow.Type type) throws VerbsException {
        requireOpen();
        return DriverWindow.allocate(this, type);
    }

    @Override
    public RcQueuePair createRc(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq)
            throws VerbsException {
        requireOpen();
        return create(QpType.RC, limits, sendCq, receiveCq, null, DriverRcQp::new);
    }

    @Override
    public UcQueuePair createUc(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq)
            throws VerbsException {
        requireOpen();
        return create(QpType.UC, limits, sendCq, receiveCq, null, DriverUcQp::new);
    }

    @Override
    public UdQueuePair createUd(QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq)
            throws VerbsException {
        requireOpen();
        return create(QpType.UD, limits, sendCq, receiveCq, null, DriverUdQp::new);
    }

    @Override
    public AddressHandle createAh(AddressAttributes attributes) throws VerbsException {
        requireOpen();
        return DriverAh.create(this, attributes);
    }

    @Override
    public RcQueuePair createRc(
            QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq, SharedReceiveQueue srq)
            throws VerbsException {
        requireOpen();
        QpLimits sends =
                new QpLimits(limits.sendWr(), 0, limits.sendSge(), 1, limits.inlineBytes(), limits.allSignalled());
        return create(QpType.RC, sends, sendCq, receiveCq, DriverSrq.of(srq, context), DriverRcQp::new);
    }

    @Override
    public XrcInitiator createXrcInitiator(QpLimits limits, CompletionQueue sendCq) throws VerbsException {
        requireOpen();
        return DriverXrcInitiator.create(this, limits, DriverCq.of(sendCq, context));
    }

    @Override
    public SharedReceiveQueue createSrq(SrqLimits limits) throws VerbsException {
        requireOpen();
        return DriverSrq.create(this, limits);
    }

    private <Q extends DriverQp> Q create(
            QpType type,
            QpLimits limits,
            CompletionQueue sendCq,
            CompletionQueue receiveCq,
            @Nullable DriverSrq srq,
            DriverQp.Maker<Q> maker)
            throws VerbsException {
        return DriverQp.create(
                this, type, limits, DriverCq.of(sendCq, context), DriverCq.of(receiveCq, context), srq, maker);
    }

    @Override
    public String describe() {
        return (parent == null ? "pd " : "parent domain of pd ") + number;
    }

    @Override
    protected void destroy() throws VerbsException {
        if (parent == null) {
            context.parts().verbs().destroy(ObjectKind.PD, handle);
        }
    }

    DriverContext driverContext() {
        return context;
    }

    long handle() {
        return handle;
    }
}
