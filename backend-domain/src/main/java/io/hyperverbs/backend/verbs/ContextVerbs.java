package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.OpenContext;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import org.jspecify.annotations.Nullable;

/** Opening the device: a UAR page, mapped by the domain or kept by the backend. */
final class ContextVerbs {
    private final DeviceServices services;

    ContextVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb open(Session session, OpenContext request) throws Refusal {
        session.paths().check(request.dataPath());
        session.quota().check(QuotaKind.UAR, 1);
        session.quota().check(QuotaKind.BACKING, FrameRun.FRAME_BYTES);
        if (request.dataPath() == DataPathKind.FORWARDED) {
            session.quota().check(QuotaKind.PUMP, 1);
        }
        return undo -> open(session, request.dataPath(), undo);
    }

    private ControlReply open(Session session, DataPathKind dataPath, Undo undo) throws Refusal {
        BackendHypercalls machine = services.machine();
        session.quota().take(QuotaKind.UAR, 1);
        undo.push(() -> session.quota().giveBack(QuotaKind.UAR, 1));
        session.quota().take(QuotaKind.BACKING, FrameRun.FRAME_BYTES);
        undo.push(() -> session.quota().giveBack(QuotaKind.BACKING, FrameRun.FRAME_BYTES));
        if (dataPath == DataPathKind.FORWARDED) {
            session.quota().take(QuotaKind.PUMP, 1);
            undo.push(() -> session.quota().giveBack(QuotaKind.PUMP, 1));
        }
        try {
            MappedExtent page = machine.allocateFrames(FrameKind.UAR, 1);
            undo.push(() -> machine.freeFrames(page));
            long address = page.firstMachineFrame() * FrameRun.FRAME_BYTES;
            UarLayout.format(machine.machineMemory(), address);
            Numbered uar = services.hca().openUar(session.domain(), address, session.share(), session.pkeys());
            Statuses.expectSuccess(uar.status(), "UAR page");
            undo.push(() -> services.hca().closeUar(uar.number()));

            ContextObject context = new ContextObject(
                    uar.number(),
                    page,
                    dataPath,
                    dataPath == DataPathKind.BYPASS ? null : forwarded(session, address),
                    session.events());
            if (dataPath == DataPathKind.BYPASS && !session.isNative()) {
                grant(session, context, undo);
            }
            long handle = session.contexts().add(context);
            context.handle(handle);
            undo.push(() -> session.contexts().remove(handle));
            services.routes().add(uar.number(), context);
            undo.push(() -> services.routes().remove(uar.number()));
            return reply(session, context);
        } catch (HypercallException e) {
            throw Refusal.of(e, "UAR page");
        }
    }

    private void grant(Session session, ContextObject context, Undo undo) throws HypercallException {
        BackendHypercalls machine = services.machine();
        long ofUar = machine.grant(context.uarPage(), session.domain(), false);
        undo.push(() -> machine.revokeGrant(ofUar));
        long ofStatusPage = machine.grant(services.statusPage(), session.domain(), true);
        undo.push(() -> machine.revokeGrant(ofStatusPage));
        context.grants(ofUar, ofStatusPage);
    }

    private ControlReply reply(Session session, ContextObject context) {
        if (context.dataPath() != DataPathKind.BYPASS) {
            return new ControlReply.ContextOpened(context.handle(), 0, 0);
        }
        if (session.isNative()) {
            // A native domain is in this process and has all machine memory mapped already.
            return new ControlReply.ContextOpened(
                    context.handle(),
                    context.uarPage().firstMachineFrame(),
                    services.statusPage().firstMachineFrame());
        }
        return new ControlReply.ContextOpened(context.handle(), context.uarGrant(), context.statusGrant());
    }

    private @Nullable ForwardedContext forwarded(Session session, long uarMachineAddress) {
        return new ForwardedContext(
                session.domain(),
                session.name(),
                new Doorbell(
                        services.machine().machineMemory(),
                        uarMachineAddress,
                        services.machine().machineMemory(),
                        services.statusPageMachineAddress(),
                        services.wakeEngine()));
    }
}
