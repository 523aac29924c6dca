package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RegionObject;
import io.hyperverbs.backend.session.RegionObject.Registration;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands.Keyed;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.ReregisterMemory;

/** Registers a region anew, in one step for its owner and for its peers ({@code ibv_rereg_mr}). */
final class ReregisterVerb {
    private static final int KNOWN_CHANGES = RegionChange.TRANSLATION | RegionChange.PD | RegionChange.ACCESS;

    private final DeviceServices services;

    ReregisterVerb(DeviceServices services) {
        this.services = services;
    }

    /** New frames are pinned at the end of the checks, as for a new region. */
    Verb reregister(Session session, ReregisterMemory request, Undo undo) throws Refusal {
        RegionObject region = Statuses.parameter(session.regions().get(request.region()), "region");
        int changes = request.changes();
        if (changes == 0 || (changes & ~KNOWN_CHANGES) != 0 || region.isDmaKey()) {
            throw Statuses.invalid("changes 0x" + Integer.toHexString(changes));
        }
        Registration wanted = wanted(session, region.registration(), request);
        RegionCheck.access(wanted.access());
        if (has(request, RegionChange.TRANSLATION)) {
            Quota quota = session.quota();
            RegionCheck.range(wanted.virtualAddress(), wanted.lengthBytes(), quota.max(QuotaKind.REGISTERED));
            RegionCheck.pages(wanted.virtualAddress(), wanted.lengthBytes(), wanted.runs());
            quota.check(QuotaKind.REGISTERED, growth(region.registration(), wanted));
            MemoryVerbs.pin(services, session, wanted.runs(), false, undo);
        }
        boolean moved = has(request, RegionChange.TRANSLATION);
        return applyUndo -> apply(session, region, wanted, moved, applyUndo);
    }

    /** How it is to be: what the request does not name stays. */
    private static Registration wanted(Session session, Registration now, ReregisterMemory request) throws Refusal {
        boolean moved = has(request, RegionChange.TRANSLATION);
        PdObject pd = now.pd();
        if (has(request, RegionChange.PD)) {
            pd = Statuses.pd(session, request.pd());
            if (pd.context() != now.pd().context()) {
                throw Statuses.invalid("PD of another context");
            }
        }
        return new Registration(
                pd,
                moved ? request.virtualAddress() : now.virtualAddress(),
                moved ? request.lengthBytes() : now.lengthBytes(),
                has(request, RegionChange.ACCESS) ? request.access() : now.access(),
                moved ? request.runs() : now.runs());
    }

    /** Old frames are unpinned last: until then a copy may be in flight. */
    private ControlReply apply(Session session, RegionObject region, Registration wanted, boolean moved, Undo undo)
            throws Refusal {
        Registration former = region.registration();
        account(session.quota(), former, wanted);
        undo.push(() -> account(session.quota(), wanted, former));
        Keyed made = services.hca().reregisterRegion(region.number(), MemoryVerbs.init(wanted));
        Statuses.expectSuccess(made.status(), "region");
        // Its keys are fresh then, and nobody knows them: such a region is of no use any more.
        undo.push(() -> services.hca().reregisterRegion(region.number(), MemoryVerbs.init(former)));
        move(region, former, wanted);
        undo.push(() -> move(region, wanted, former));
        if (moved) {
            session.leftovers().run(() -> services.machine().unpin(session.domain(), former.runs(), false));
            undo.push(() -> services.machine().pin(session.domain(), former.runs(), false));
        }
        return new ControlReply.MemoryRegistered(region.handle(), made.lkey(), made.rkey());
    }

    private static void move(RegionObject region, Registration from, Registration to) {
        region.registration(to);
        to.pd().reference();
        from.pd().dereference();
    }

    private static void account(Quota quota, Registration from, Registration to) {
        quota.giveBack(QuotaKind.REGISTERED, from.lengthBytes());
        quota.take(QuotaKind.REGISTERED, to.lengthBytes());
    }

    private static long growth(Registration from, Registration to) {
        return Math.max(0, to.lengthBytes() - from.lengthBytes());
    }

    private static boolean has(ReregisterMemory request, int change) {
        return (request.changes() & change) != 0;
    }
}
