package io.hyperverbs.backend;

import io.hyperverbs.backend.channel.DirectControlPath;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.SessionReport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the VMM's notices one by one and acknowledges each, on a thread of its own. */
final class NoticeLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeLoop.class);

    private final BackendHypercalls machine;
    private final DomainSessions sessions;
    private final SessionReports reports;
    private final NativeHost natives;
    private final HcaCommands hca;
    private final Runnable wakeEngine;
    private volatile boolean stopping;

    NoticeLoop(
            BackendHypercalls machine,
            DomainSessions sessions,
            SessionReports reports,
            NativeHost natives,
            HcaCommands hca,
            Runnable wakeEngine) {
        this.machine = machine;
        this.sessions = sessions;
        this.reports = reports;
        this.natives = natives;
        this.hca = hca;
        this.wakeEngine = wakeEngine;
    }

    @Override
    public void run() {
        while (!stopping) {
            DomainNotice notice;
            try {
                notice = machine.nextNotice();
            } catch (HypercallException e) {
                if (!stopping) {
                    LOG.error("no notices any more", e);
                }
                return;
            }
            handle(notice);
        }
    }

    /** The thread ends after the notice it waits for. */
    void stop() {
        stopping = true;
    }

    /** One domain's trouble must not end the service of the others. */
    private void handle(DomainNotice notice) {
        try {
            switch (notice) {
                case DomainNotice.Added added -> added(added);
                case DomainNotice.Removed removed -> removed(removed);
                case DomainNotice.PortSet set -> portSet(set);
                case DomainNotice.SessionAsked asked -> report(asked);
            }
        } catch (RuntimeException e) {
            LOG.error("notice {} of domain {} not handled", notice.notice(), notice.domain(), e);
            acknowledge(notice, VerbsStatus.EIO, "the backend failed");
        }
    }

    private void added(DomainNotice.Added added) {
        DirectControlPath direct;
        try {
            direct = sessions.open(added);
        } catch (Refusal refusal) {
            LOG.warn("{} refused: {}", added.name(), refusal.words());
            acknowledge(added, refusal.status(), refusal.words());
            return;
        }
        LOG.info("session of {} (domain {}) open", added.name(), added.domain());
        acknowledge(added, VerbsStatus.SUCCESS, "");
        if (direct != null) {
            start(added, direct);
        }
    }

    private void start(DomainNotice.Added added, DirectControlPath direct) {
        try {
            natives.start(added, direct, wakeEngine);
        } catch (RuntimeException e) {
            LOG.error("native domain {} does not start", added.name(), e);
            try {
                machine.nativeExited(added.domain(), 1);
            } catch (HypercallException gone) {
                LOG.error("the VMM does not hear of it", gone);
            }
        }
    }

    private void removed(DomainNotice.Removed removed) {
        natives.stop(removed.domain());
        int left = sessions.close(removed.domain());
        LOG.info("session of domain {} closed, {} objects left", removed.domain(), left);
        if (left == 0) {
            acknowledge(removed, VerbsStatus.SUCCESS, "");
        } else {
            acknowledge(removed, VerbsStatus.EBUSY, left + " objects are still with the HCA");
        }
    }

    private void portSet(DomainNotice.PortSet set) {
        VerbsStatus status = hca.setPort(set.port(), set.up());
        LOG.info("port {} {}: {}", set.port(), set.up() ? "up" : "down", status);
        acknowledge(set, status, status == VerbsStatus.SUCCESS ? "" : "port " + set.port());
    }

    private void report(DomainNotice.SessionAsked asked) {
        Session session = sessions.find(asked.domain());
        if (session == null) {
            acknowledge(asked, VerbsStatus.ENOENT, "domain " + asked.domain() + " has no session");
            return;
        }
        SessionReport report = reports.of(session, asked.after());
        try {
            machine.report(asked, report);
        } catch (HypercallException e) {
            LOG.error("notice {} not answered", asked.notice(), e);
        }
    }

    private void acknowledge(DomainNotice notice, VerbsStatus status, String message) {
        try {
            machine.acknowledge(notice, status, message);
        } catch (HypercallException e) {
            LOG.error("notice {} not acknowledged", notice.notice(), e);
        }
    }
}
