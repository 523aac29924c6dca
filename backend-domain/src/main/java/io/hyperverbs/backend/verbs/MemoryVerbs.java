package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RegionObject;
import io.hyperverbs.backend.session.RegionObject.Registration;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.HcaCommands.Keyed;
import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.HcaCommands.RegionInit;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.AllocateDmaKey;
import io.hyperverbs.vmm.io.ControlRequest.AllocatePd;
import io.hyperverbs.vmm.io.ControlRequest.OpenXrcd;
import io.hyperverbs.vmm.io.ControlRequest.RegisterMemory;
import io.hyperverbs.vmm.io.ControlRequest.RegisterRing;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;

/** Protection and XRC domains, regions and rings (Liu 2006 §4.2, memory registration). */
final class MemoryVerbs {
    private final DeviceServices services;

    MemoryVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb allocatePd(Session session, AllocatePd request) throws Refusal {
        return open(session, request.context(), false);
    }

    Verb openXrcd(Session session, OpenXrcd request) throws Refusal {
        return open(session, request.context(), true);
    }

    private Verb open(Session session, long of, boolean xrcd) throws Refusal {
        ContextObject context = Statuses.parameter(session.contexts().get(of), "context");
        session.quota().check(QuotaKind.PD, 1);
        return undo -> {
            session.quota().take(QuotaKind.PD, 1);
            undo.push(() -> session.quota().giveBack(QuotaKind.PD, 1));
            Numbered made = xrcd
                    ? services.hca().openXrcd(session.domain())
                    : services.hca().allocatePd(session.domain());
            Statuses.expectSuccess(made.status(), xrcd ? "XRC domain" : "PD");
            PdObject pd = new PdObject(context, made.number(), xrcd);
            undo.push(() -> end(services.hca(), pd));
            context.reference();
            undo.push(context::dereference);
            long handle = session.pds().add(pd);
            pd.handle(handle);
            undo.push(() -> session.pds().remove(handle));
            return new ControlReply.PdAllocated(handle, made.number());
        };
    }

    /** Takes a domain of either kind from the HCA. */
    static VerbsStatus end(HcaCommands hca, PdObject pd) {
        return pd.isXrcd() ? hca.closeXrcd(pd.number()) : hca.deallocatePd(pd.number());
    }

    /**
     * The frame table judges the frames at the end of the checks; the pin is what makes its
     * judgement hold until the region is gone.
     */
    Verb register(Session session, RegisterMemory request, Undo undo) throws Refusal {
        PdObject pd = Statuses.pd(session, request.pd());
        RegionCheck.access(request.access());
        RegionCheck.range(
                request.virtualAddress(), request.lengthBytes(), session.quota().max(QuotaKind.REGISTERED));
        RegionCheck.pages(request.virtualAddress(), request.lengthBytes(), request.runs());
        session.quota().check(QuotaKind.MR, 1);
        session.quota().check(QuotaKind.REGISTERED, request.lengthBytes());
        pin(services, session, request.runs(), false, undo);
        Registration registration =
                new Registration(pd, request.virtualAddress(), request.lengthBytes(), request.access(), request.runs());
        return applyUndo -> register(session, registration, applyUndo);
    }

    private ControlReply register(Session session, Registration registration, Undo undo) throws Refusal {
        session.quota().take(QuotaKind.MR, 1);
        undo.push(() -> session.quota().giveBack(QuotaKind.MR, 1));
        long lengthBytes = registration.lengthBytes();
        session.quota().take(QuotaKind.REGISTERED, lengthBytes);
        undo.push(() -> session.quota().giveBack(QuotaKind.REGISTERED, lengthBytes));
        return add(session, registration, init(registration), undo);
    }

    /**
     * All memory of the session's domain, as the VMM listed it when the domain started: nothing
     * that the guest says is believed, so the key cannot reach beyond (Liu 2006 §5.1). These frames
     * stay the domain's until its session has ended, so there is nothing to pin.
     */
    Verb allocateDmaKey(Session session, AllocateDmaKey request) throws Refusal {
        PdObject pd = Statuses.pd(session, request.pd());
        session.quota().check(QuotaKind.MR, 1);
        return undo -> {
            session.quota().take(QuotaKind.MR, 1);
            undo.push(() -> session.quota().giveBack(QuotaKind.MR, 1));
            Registration registration = new Registration(pd, 0, 0, Access.LOCAL_WRITE.bit(), List.of());
            List<MachineRun> ram = machineRuns(session.ram());
            long bytes = ram.stream().mapToLong(MachineRun::lengthBytes).sum();
            RegionInit init = new RegionInit(pd.number(), 0, bytes, registration.access(), ram, 0);
            return add(session, registration, init, undo);
        };
    }

    private ControlReply add(Session session, Registration registration, RegionInit init, Undo undo) throws Refusal {
        Keyed made = services.hca().createRegion(init);
        Statuses.expectSuccess(made.status(), "region");
        undo.push(() -> services.hca().destroyRegion(made.region()));
        RegionObject region = new RegionObject(made.region(), registration);
        registration.pd().reference();
        undo.push(registration.pd()::dereference);
        long handle = session.regions().add(region);
        region.handle(handle);
        undo.push(() -> session.regions().remove(handle));
        return new ControlReply.MemoryRegistered(handle, made.lkey(), made.rkey());
    }

    Verb registerRing(Session session, RegisterRing request, Undo undo) throws Refusal {
        ContextObject context = Statuses.parameter(session.contexts().get(request.context()), "context");
        FrameRun run = RegionCheck.ring(request.lengthBytes(), request.runs());
        session.quota().check(QuotaKind.RING, 1);
        pin(services, session, List.of(run), true, undo);
        return applyUndo -> {
            session.quota().take(QuotaKind.RING, 1);
            applyUndo.push(() -> session.quota().giveBack(QuotaKind.RING, 1));
            RingObject ring = new RingObject(context, run);
            context.reference();
            applyUndo.push(context::dereference);
            long handle = session.rings().add(ring);
            ring.handle(handle);
            applyUndo.push(() -> session.rings().remove(handle));
            return new ControlReply.RingRegistered(handle);
        };
    }

    static void pin(DeviceServices services, Session session, List<FrameRun> runs, boolean asRing, Undo undo)
            throws Refusal {
        try {
            services.machine().pin(session.domain(), runs, asRing);
        } catch (HypercallException e) {
            throw Refusal.of(e, "frames of " + session.name());
        }
        undo.push(() -> services.machine().unpin(session.domain(), runs, asRing));
    }

    static RegionInit init(Registration registration) {
        boolean zeroBased = (registration.access() & Access.ZERO_BASED.bit()) != 0;
        return new RegionInit(
                registration.pd().number(),
                zeroBased ? 0 : registration.virtualAddress(),
                registration.lengthBytes(),
                registration.access(),
                machineRuns(registration.runs()),
                registration.virtualAddress() & (FrameRun.FRAME_BYTES - 1));
    }

    private static List<MachineRun> machineRuns(List<FrameRun> runs) {
        return runs.stream()
                .map(run -> new MachineRun(run.firstMachineAddress(), run.lengthBytes()))
                .toList();
    }
}
