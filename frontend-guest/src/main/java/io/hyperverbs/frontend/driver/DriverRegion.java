package io.hyperverbs.frontend.driver;

import static io.hyperverbs.vmm.io.FrameRun.FRAME_BYTES;

import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ObjectNames;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A registered buffer. Any thread. */
final class DriverRegion extends VerbsNode implements MemoryRegion {
    /** What it is at the moment; {@code address} is that of its first byte, zero-based or not. */
    private record Registration(
            DriverPd pd, MemorySegment buffer, long address, Set<Access> access, int lkey, int rkey) {}

    private final DriverParts parts;
    private final long handle;
    private volatile Registration registration;
    private GuestRam.Hold hold;

    private DriverRegion(DriverParts parts, long handle, Registration registration, GuestRam.Hold hold) {
        this.hold = hold;
        this.parts = parts;
        this.handle = handle;
        this.registration = registration;
    }

    static DriverRegion register(DriverPd pd, MemorySegment buffer, long address, Set<Access> access)
            throws VerbsException {
        requireLegal(access);
        if (((address ^ buffer.address()) & (FRAME_BYTES - 1)) != 0) {
            throw new VerbsException(
                    VerbsStatus.EINVAL,
                    String.format(
                            "address 0x%x for a buffer at 0x%x: not as far into a page", address, buffer.address()));
        }
        DriverParts parts = pd.driverContext().parts();
        ControlRequest.RegisterMemory request = new ControlRequest.RegisterMemory(
                pd.handle(),
                address,
                buffer.byteSize(),
                Access.mask(access),
                parts.ram().frames(buffer));
        try (Rollback undo = new Rollback()) {
            GuestRam.Hold hold = parts.ram().hold(buffer);
            undo.add(hold::close);
            ControlReply.MemoryRegistered reply =
                    parts.cached().makingRoom(() -> parts.verbs().call(request, ControlReply.MemoryRegistered.class));
            undo.add(() -> parts.verbs().destroy(ObjectKind.REGION, reply.region()));
            Registration made = new Registration(pd, buffer, address, Set.copyOf(access), reply.lkey(), reply.rkey());
            DriverRegion region = new DriverRegion(parts, reply.region(), made, hold);
            region.dependOn(pd);
            undo.keep();
            return region;
        }
    }

    @Override
    public synchronized void reregister(RegionChange change) throws VerbsException {
        requireOpen();
        Registration former = registration;
        MemorySegment buffer = change.buffer() == null ? former.buffer : change.buffer();
        Set<Access> access = change.access() == null ? former.access : change.access();
        DriverPd pd = former.pd;
        if (change.pd() != null) {
            if (!(change.pd() instanceof DriverPd other) || other.driverContext() != pd.driverContext()) {
                throw new VerbsException(VerbsStatus.EINVAL, "PD of another context");
            }
            pd = other;
        }
        requireLegal(access);
        boolean moves = pd != former.pd;
        if (moves) {
            // Before the HCA is asked: from now on nobody may close it.
            dependOn(pd);
        }
        GuestRam.Hold other = parts.ram().hold(buffer);
        boolean done = false;
        try {
            long address = change.buffer() == null ? former.address : buffer.address();
            ControlRequest.ReregisterMemory request = new ControlRequest.ReregisterMemory(
                    handle,
                    change.mask(),
                    pd.handle(),
                    address,
                    buffer.byteSize(),
                    Access.mask(access),
                    parts.ram().frames(buffer));
            ControlReply.MemoryRegistered reply =
                    parts.cached().makingRoom(() -> parts.verbs().call(request, ControlReply.MemoryRegistered.class));
            registration = new Registration(pd, buffer, address, access, reply.lkey(), reply.rkey());
            done = true;
        } finally {
            (done ? hold : other).close();
            hold = done ? other : hold;
            if (moves) {
                partFrom(done ? former.pd : pd);
            }
        }
    }

    @Override
    public MemorySegment buffer() {
        return registration.buffer;
    }

    @Override
    public ProtectionDomain pd() {
        return registration.pd;
    }

    @Override
    public long address() {
        Registration now = registration;
        return now.access.contains(Access.ZERO_BASED) ? 0 : now.address;
    }

    @Override
    public long lengthBytes() {
        return registration.buffer.byteSize();
    }

    @Override
    public int lkey() {
        return registration.lkey;
    }

    @Override
    public int rkey() {
        return registration.rkey;
    }

    @Override
    public String describe() {
        return "mr " + ObjectNames.slot(handle);
    }

    DriverPd driverPd() {
        return registration.pd;
    }

    @Override
    protected void destroy() throws VerbsException {
        parts.verbs().destroy(ObjectKind.REGION, handle);
        hold.close();
    }

    private static void requireLegal(Set<Access> access) throws VerbsException {
        if ((access.contains(Access.REMOTE_WRITE) || access.contains(Access.REMOTE_ATOMIC))
                && !access.contains(Access.LOCAL_WRITE)) {
            throw new VerbsException(VerbsStatus.EINVAL, access + " without " + Access.LOCAL_WRITE);
        }
    }
}
