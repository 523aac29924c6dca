package io.hyperverbs.backend;

import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.QuotaUse;
import io.hyperverbs.vmm.hypercall.SessionReport.Rejection;
import java.util.ArrayList;
import java.util.List;

/** What sessions have, for the operator. Any thread; waits for the verb that a session is at. */
final class SessionReports {
    /** So many fit into one hypercall. */
    static final int CM_IDS = 128;

    private final Management management;

    SessionReports(Management management) {
        this.management = management;
    }

    /** {@code after}: only connection manager ids with larger numbers. */
    SessionReport of(Session session, int after) {
        List<CmId> ids = management.ids(session, after, CM_IDS + 1);
        boolean more = ids.size() > CM_IDS;
        return new SessionReport(
                quotas(session),
                more ? ids.subList(0, CM_IDS) : ids,
                more,
                rejections(session),
                new SessionReport.Calls(session.controlMessages(), session.dataMessages()));
    }

    private static List<Rejection> rejections(Session session) {
        List<Rejection> rejections = new ArrayList<>();
        for (RejectedAct act : RejectedAct.values()) {
            rejections.add(new Rejection(act.text(), session.rejections().of(act)));
        }
        rejections.add(new Rejection("events_lost", session.events().dropped()));
        return rejections;
    }

    private List<QuotaUse> quotas(Session session) {
        List<QuotaUse> uses = new ArrayList<>();
        session.lock();
        try {
            for (QuotaKind kind : QuotaKind.values()) {
                switch (kind) {
                    case CM, SA, GROUP -> uses.add(use(kind, management.used(session, kind)));
                    case QP, CQ, CQE, MR, REGISTERED, PD, AH, SRQ, UAR, RING, MW, MCAST, BACKING, PUMP ->
                        uses.add(use(kind, session.quota().used(kind)));
                    // A rate, and what the domain has not read yet: nothing that it holds.
                    case CONTROL_RATE, EVENTS, JOURNAL -> {}
                }
            }
        } finally {
            session.unlock();
        }
        return uses;
    }

    private static QuotaUse use(QuotaKind kind, long used) {
        return new QuotaUse(kind.key(), used);
    }
}
