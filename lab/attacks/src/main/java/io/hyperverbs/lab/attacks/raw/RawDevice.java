package io.hyperverbs.lab.attacks.raw;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An open device without its driver: control requests as they go over the channel, and the mapped
 * UAR page as it is. One thread, but for {@link #ring}.
 */
public final class RawDevice {
    private final Hypercalls machine;
    private final RawResources resources;
    private final GuestRam ram;
    private final long context;
    private final List<Long> grants;
    private final MemorySegment uar;
    private final Doorbell doorbell;

    private RawDevice(
            Hypercalls machine,
            RawResources resources,
            GuestRam ram,
            long context,
            List<Long> grants,
            MemorySegment uar,
            MemorySegment status) {
        this.machine = machine;
        this.resources = resources;
        this.ram = ram;
        this.context = context;
        this.grants = grants;
        this.uar = uar;
        this.doorbell = new Doorbell(uar, 0, status, 0, machine::ringDoorbellEvent);
    }

    /**
     * Opens a context on the bypass path.
     *
     * @param resources where it notes what it is given
     */
    public static RawDevice open(DriverDomain domain, RawResources resources) throws VerbsException {
        Hypercalls machine = domain.hypercalls();
        ControlReply.ContextOpened opened = answer(
                resources.call(new ControlRequest.OpenContext(DataPathKind.BYPASS)), ControlReply.ContextOpened.class);
        try {
            MappedExtent uar = machine.mapGrant(opened.uarGrant());
            MappedExtent status = machine.mapGrant(opened.statusGrant());
            return new RawDevice(
                    machine,
                    resources,
                    (GuestRam) domain.memory(),
                    opened.context(),
                    List.of(opened.uarGrant(), opened.statusGrant()),
                    uar.memory(),
                    status.memory());
        } catch (HypercallException e) {
            throw new VerbsException(e.status(), "UAR page not mapped: " + e);
        }
    }

    /** References of its doorbell page, to be written, and its status page, to be read. */
    public List<Long> grants() {
        return grants;
    }

    public Hypercalls machine() {
        return machine;
    }

    public GuestRam ram() {
        return ram;
    }

    /** Handle of the context. */
    public long context() {
        return context;
    }

    /** The doorbell page, to write as one likes. */
    public MemorySegment uar() {
        return uar;
    }

    /** Rings a slot and wakes the HCA as the library does. */
    public void ring(int slot) {
        doorbell.ring(slot);
    }

    /** Wakes the HCA and rings nothing. */
    public void wake() {
        machine.ringDoorbellEvent();
    }

    public ControlReply call(ControlRequest request) {
        return resources.call(request);
    }

    /** The status a request is answered with. */
    public VerbsStatus status(ControlRequest request) {
        return resources.call(request) instanceof ControlReply.Refused refused ? refused.status() : VerbsStatus.SUCCESS;
    }

    /** The answer to a request that has to succeed. */
    public <R extends ControlReply> R expect(ControlRequest request, Class<R> kind) throws VerbsException {
        return answer(resources.call(request), kind);
    }

    /** A new PD's handle. */
    public long pd() throws VerbsException {
        return expect(new ControlRequest.AllocatePd(context), ControlReply.PdAllocated.class)
                .pd();
    }

    /** Frames that hold a buffer of this domain. */
    public List<FrameRun> frames(MemorySegment buffer) throws VerbsException {
        return ram.frames(buffer);
    }

    /** A registered buffer. */
    public RawRegion region(long pd, long lengthBytes, int access) throws VerbsException {
        return region(pd, buffer(lengthBytes), access);
    }

    /** Memory that is given back with all else. */
    public MemorySegment buffer(long lengthBytes) throws VerbsException {
        return resources.note(ram.allocate(lengthBytes, FrameRun.FRAME_BYTES));
    }

    /** Registers memory that is there already. */
    public RawRegion region(long pd, MemorySegment memory, int access) throws VerbsException {
        ControlReply.MemoryRegistered made = expect(
                new ControlRequest.RegisterMemory(pd, memory.address(), memory.byteSize(), access, frames(memory)),
                ControlReply.MemoryRegistered.class);
        return new RawRegion(memory, made.region(), made.lkey(), made.rkey());
    }

    /** Ring memory with its handle. */
    RawRegion ring(long lengthBytes) throws VerbsException {
        MemorySegment memory = resources.note(ram.allocateFrames(lengthBytes));
        long ring = expect(
                        new ControlRequest.RegisterRing(context, memory.byteSize(), frames(memory)),
                        ControlReply.RingRegistered.class)
                .ring();
        return new RawRegion(memory, ring, 0, 0);
    }

    public RawCq cq(int entries) throws VerbsException {
        return RawCq.create(this, entries, false);
    }

    /** One whose completions raise events when it is armed. */
    public RawCq eventCq(int entries) throws VerbsException {
        return RawCq.create(this, entries, true);
    }

    private static <R extends ControlReply> R answer(ControlReply reply, Class<R> kind) throws VerbsException {
        if (reply instanceof ControlReply.Refused refused) {
            throw new VerbsException(refused.status(), refused.message());
        }
        return kind.cast(reply);
    }
}
