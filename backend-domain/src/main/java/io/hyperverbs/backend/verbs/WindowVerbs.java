package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.WindowObject;
import io.hyperverbs.hca.HcaCommands.Windowed;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.AllocateWindow;

/** Memory windows: made and ended here, bound by work requests that the HCA alone sees. */
final class WindowVerbs {
    private final DeviceServices services;

    WindowVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb allocate(Session session, AllocateWindow request) throws Refusal {
        PdObject pd = Statuses.pd(session, request.pd());
        if (!MemoryWindow.Type.isCode(request.typeCode())) {
            throw Statuses.invalid("window type " + request.typeCode() + ", must be 1 or 2");
        }
        MemoryWindow.Type type = MemoryWindow.Type.of(request.typeCode());
        session.quota().check(QuotaKind.MW, 1);
        return undo -> {
            session.quota().take(QuotaKind.MW, 1);
            undo.push(() -> session.quota().giveBack(QuotaKind.MW, 1));
            Windowed made = services.hca().allocateWindow(pd.number(), type);
            Statuses.expectSuccess(made.status(), "memory window");
            undo.push(() -> services.hca().deallocateWindow(made.window()));
            WindowObject window = new WindowObject(pd, made.window());
            pd.reference();
            undo.push(pd::dereference);
            long handle = session.windows().add(window);
            window.handle(handle);
            undo.push(() -> session.windows().remove(handle));
            return new ControlReply.WindowAllocated(handle, made.rkey());
        };
    }

    /** Takes a window away, first from the HCA, which unbinds it; or changes nothing. */
    static VerbsStatus remove(DeviceServices services, Session session, WindowObject window) {
        VerbsStatus status = services.hca().deallocateWindow(window.number());
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        session.windows().remove(window.handle());
        session.quota().giveBack(QuotaKind.MW, 1);
        window.pd().dereference();
        return VerbsStatus.SUCCESS;
    }
}
