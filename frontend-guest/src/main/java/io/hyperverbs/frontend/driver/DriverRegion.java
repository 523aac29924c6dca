package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.trace.TraceText;
import io.hyperverbs.frontend.tree.Undo;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A registered buffer. Any thread. */
final class DriverRegion extends VerbsNode implements MemoryRegion {
    private final DriverPd pd;
    private final DriverParts parts;
    private final ControlReply.MemoryRegistered registered;
    private final MemorySegment buffer;

    private DriverRegion(
            DriverPd pd, ControlReply.MemoryRegistered registered, MemorySegment buffer) {
        this.pd = pd;
        this.parts = pd.driverContext().parts();
        this.registered = registered;
        this.buffer = buffer;
    }

    static DriverRegion register(DriverPd pd, MemorySegment buffer, Set<Access> access)
            throws VerbsException {
        if ((access.contains(Access.REMOTE_WRITE) || access.contains(Access.REMOTE_ATOMIC))
                && !access.contains(Access.LOCAL_WRITE)) {
            throw new VerbsException(VerbsStatus.EINVAL, access + " without " + Access.LOCAL_WRITE);
        }
        DriverParts parts = pd.driverContext().parts();
        ControlRequest.RegisterMemory request =
                new ControlRequest.RegisterMemory(
                        pd.handle(),
                        buffer.address(),
                        buffer.byteSize(),
                        Access.mask(access),
                        parts.ram().frames(buffer));
        try (Undo undo = new Undo()) {
            ControlReply.MemoryRegistered reply =
                    parts.verbs().call(request, ControlReply.MemoryRegistered.class);
            undo.add(() -> parts.verbs().destroy(ObjectKind.REGION, reply.region()));
            DriverRegion region = new DriverRegion(pd, reply, buffer);
            region.dependOn(pd);
            undo.keep();
            return region;
        }
    }

    @Override
    public MemorySegment buffer() {
        return buffer;
    }

    @Override
    public long address() {
        return buffer.address();
    }

    @Override
    public long lengthBytes() {
        return buffer.byteSize();
    }

    @Override
    public int lkey() {
        return registered.lkey();
    }

    @Override
    public int rkey() {
        return registered.rkey();
    }

    @Override
    public String describe() {
        return "mr " + TraceText.number(registered.region());
    }

    DriverPd pd() {
        return pd;
    }

    @Override
    protected void destroy() throws VerbsException {
        parts.verbs().destroy(ObjectKind.REGION, registered.region());
    }
}
