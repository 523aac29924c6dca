package io.hyperverbs.frontend.path;

import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.StatusPageLayout;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Rings in the domain's own RAM, a mapped UAR page to ring: a post or a poll runs no code but the
 * driver's and the HCA's.
 */
public final class BypassPath implements DataPath {
    private final Hypercalls machine;
    private final PrivilegedVerbs verbs;
    private final GuestRam ram;
    private final long context;
    private final MappedExtent uar;
    private final MappedExtent status;
    private final Doorbell doorbell;

    private BypassPath(
            Hypercalls machine,
            PrivilegedVerbs verbs,
            GuestRam ram,
            long context,
            MappedExtent uar,
            MappedExtent status) {
        this.machine = machine;
        this.verbs = verbs;
        this.ram = ram;
        this.context = context;
        this.uar = uar;
        this.status = status;
        this.doorbell = new Doorbell(uar.memory(), 0, status.memory(), 0, machine::ringDoorbellEvent);
    }

    /**
     * Maps the pages of an opened context.
     *
     * @throws VerbsException if the VMM refuses, or EIO if a page is not what this driver knows
     */
    public static BypassPath map(
            Hypercalls machine, PrivilegedVerbs verbs, GuestRam ram, ControlReply.ContextOpened opened)
            throws VerbsException {
        try (Rollback undo = new Rollback()) {
            MappedExtent uar = map(machine, opened.uarGrant());
            undo.add(() -> machine.unmap(uar));
            MappedExtent status = map(machine, opened.statusGrant());
            undo.add(() -> machine.unmap(status));
            if (!UarLayout.isFormatted(uar.memory(), 0) || !StatusPageLayout.isFormatted(status.memory(), 0)) {
                throw new VerbsException(VerbsStatus.EIO, "UAR or status page of an unknown layout version");
            }
            undo.keep();
            return new BypassPath(machine, verbs, ram, opened.context(), uar, status);
        }
    }

    @Override
    public DataPathKind kind() {
        return DataPathKind.BYPASS;
    }

    @Override
    public RingMemory takeRing(long lengthBytes) throws VerbsException {
        MemorySegment memory = ram.allocateFrames(lengthBytes);
        try (Rollback undo = new Rollback()) {
            undo.add(() -> ram.free(memory));
            long ring = verbs.call(
                            new ControlRequest.RegisterRing(context, memory.byteSize(), ram.frames(memory)),
                            ControlReply.RingRegistered.class)
                    .ring();
            undo.keep();
            return new RegisteredRing(memory, ring);
        }
    }

    @Override
    public CompletionPort attach(CreatedCq cq) {
        return new BypassCompletions(cq.ring(), cq.slot(), doorbell);
    }

    @Override
    public QpPort attach(CreatedQp qp) {
        return new BypassWork(qp.sendRing(), qp.receiveRing(), qp.slot(), doorbell);
    }

    @Override
    public SrqPort attach(SrqEnds srq) {
        return new BypassSrq(srq.ring());
    }

    @Override
    public Optional<MemorySegment> eventPage() {
        return Optional.of(uar.memory());
    }

    @Override
    public void close() {
        machine.unmap(uar);
        machine.unmap(status);
    }

    private static MappedExtent map(Hypercalls machine, long grant) throws VerbsException {
        try {
            return machine.mapGrant(grant);
        } catch (HypercallException e) {
            throw new VerbsException(e.status(), "grant " + grant + ": " + e.getMessage());
        }
    }

    /** Frames of guest RAM; as long as they are registered nothing else may use them. */
    private final class RegisteredRing implements RingMemory {
        private final MemorySegment memory;
        private final long handle;

        RegisteredRing(MemorySegment memory, long handle) {
            this.memory = memory;
            this.handle = handle;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public long handle() {
            return handle;
        }

        @Override
        public void release() throws VerbsException {
            verbs.destroy(ObjectKind.RING, handle);
            ram.free(memory);
        }
    }
}
