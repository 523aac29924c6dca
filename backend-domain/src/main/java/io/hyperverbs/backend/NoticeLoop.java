package io.hyperverbs.backend;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.DirectControlPath;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the VMM's notices on a thread of its own; {@link NoticeWorkers} handle and acknowledge
 * them, so that one domain's slow end is not waited for by the others.
 */
final class NoticeLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeLoop.class);
    private static final int ACKNOWLEDGE_TRIES = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final BackendHypercalls machine;
    private final DomainSessions sessions;
    private final SessionReports reports;
    private final NativeHost natives;
    private final OperatorCommands operator;
    private final Runnable wakeEngine;
    private final NoticeWorkers workers;
    private volatile boolean stopping;

    NoticeLoop(
            BackendHypercalls machine,
            DomainSessions sessions,
            SessionReports reports,
            NativeHost natives,
            OperatorCommands operator,
            Runnable wakeEngine,
            NoticeWorkers workers) {
        this.machine = machine;
        this.sessions = sessions;
        this.reports = reports;
        this.natives = natives;
        this.operator = operator;
        this.wakeEngine = wakeEngine;
        this.workers = workers;
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                hand(machine.nextNotice());
            } catch (HypercallException | RuntimeException | Error e) {
                // A shortage passes. Without a VMM this process is halted.
                if (!stopping) {
                    LOG.warn("no notice", e);
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        }
    }

    private void hand(DomainNotice notice) {
        boolean handed = false;
        try {
            workers.submit(notice.domain(), () -> handle(notice));
            handed = true;
        } finally {
            if (!handed) {
                acknowledge(notice, VerbsStatus.ENOMEM, "the backend has no memory");
            }
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
                case DomainNotice.LinkSet set -> linkSet(set);
                case DomainNotice.CaptureStarted started -> capture(started);
                case DomainNotice.CaptureStopped stopped -> capture(stopped);
                case DomainNotice.SessionAsked asked -> report(asked);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("notice {} of domain {} not handled", notice.notice(), notice.domain(), e);
            if (notice instanceof DomainNotice.Added added) {
                // The VMM takes it for refused, and frees its memory.
                int _ = sessions.close(added.domain());
            }
            acknowledge(
                    notice,
                    e instanceof OutOfMemoryError ? VerbsStatus.ENOMEM : VerbsStatus.EIO,
                    "the backend failed: " + e);
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
        } catch (RuntimeException | Error e) {
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
        Outcome outcome = operator.setPort(set.port(), set.up());
        LOG.info("port {} {}: {}", set.port(), set.up() ? "up" : "down", outcome.status());
        acknowledge(set, outcome.status(), outcome.message());
    }

    private void linkSet(DomainNotice.LinkSet set) {
        Outcome outcome = operator.setLink(set.neighbour(), set.settings());
        LOG.info("link to HCA {}: {}: {}", set.neighbour(), set.settings(), outcome.status());
        acknowledge(set, outcome.status(), outcome.message());
    }

    private void capture(DomainNotice.CaptureStarted started) {
        VerbsStatus status = operator.captures().start(started);
        LOG.info("capture on, ports {}, verbs {}: {}", started.ports(), started.verbs(), status);
        acknowledge(started, status, "the engine does not answer");
    }

    private void capture(DomainNotice.CaptureStopped stopped) {
        VerbsStatus status = operator.captures().stop();
        LOG.info("capture off: {}", status);
        acknowledge(stopped, status, "the engine does not answer");
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
        for (int tries = 1; tries < ACKNOWLEDGE_TRIES && !stopping; tries++) {
            if (acknowledgedOnce(notice, status, message)) {
                return;
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        // The VMM asks again about what could not be released.
        boolean _ = acknowledgedOnce(
                notice, status == VerbsStatus.SUCCESS ? VerbsStatus.ENOMEM : status, "the backend has no memory");
    }

    private boolean acknowledgedOnce(DomainNotice notice, VerbsStatus status, String message) {
        try {
            machine.acknowledge(notice, status, message);
            return true;
        } catch (HypercallException e) {
            LOG.warn("notice {} not acknowledged: {}", notice.notice(), e.getMessage());
            return e.status() == VerbsStatus.ENOENT;
        }
    }
}
