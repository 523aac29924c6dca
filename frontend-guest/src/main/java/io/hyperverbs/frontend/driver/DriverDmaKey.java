package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.DmaKey;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ObjectNames;
import java.lang.foreign.MemorySegment;

/** A local key for all of the domain's RAM. Any thread. */
final class DriverDmaKey extends VerbsNode implements DmaKey {
    private final DriverPd pd;
    private final DriverParts parts;
    private final ControlReply.MemoryRegistered registered;

    private DriverDmaKey(DriverPd pd, ControlReply.MemoryRegistered registered) {
        this.pd = pd;
        this.parts = pd.driverContext().parts();
        this.registered = registered;
    }

    static DriverDmaKey allocate(DriverPd pd) throws VerbsException {
        DriverParts parts = pd.driverContext().parts();
        try (Rollback undo = new Rollback()) {
            ControlRequest request = new ControlRequest.AllocateDmaKey(pd.handle());
            ControlReply.MemoryRegistered reply =
                    parts.cached().makingRoom(() -> parts.verbs().call(request, ControlReply.MemoryRegistered.class));
            undo.add(() -> parts.verbs().destroy(ObjectKind.REGION, reply.region()));
            DriverDmaKey key = new DriverDmaKey(pd, reply);
            key.dependOn(pd);
            undo.keep();
            return key;
        }
    }

    @Override
    public ProtectionDomain pd() {
        return pd;
    }

    @Override
    public int lkey() {
        return registered.lkey();
    }

    @Override
    public long lengthBytes() {
        return parts.ram().capacityBytes();
    }

    @Override
    public long address(MemorySegment buffer) throws VerbsException {
        return parts.ram().physicalAddress(buffer);
    }

    @Override
    public String describe() {
        return "dma key " + ObjectNames.slot(registered.region());
    }

    @Override
    protected void destroy() throws VerbsException {
        parts.verbs().destroy(ObjectKind.REGION, registered.region());
    }
}
