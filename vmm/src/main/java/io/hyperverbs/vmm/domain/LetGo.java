package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.NoticeQueue.Acknowledgement;
import io.hyperverbs.vmm.hypercall.wire.DomainRemovedNotice;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the backend has released a domain that ended. What it does not release stays
 * reserved: a late copy then reaches nobody, and the domain alone is shown as not released, while the
 * backend serves the others. Only a backend that answers nobody is ended. Callable from any thread.
 */
final class LetGo {
    /**
     * How long the backend may have a notice, how long it may answer nobody, and how soon it is
     * asked again for what it kept; the last doubles up to {@code mostRetryMillis}.
     */
    record Limits(
            long acknowledgeNanos, long silentNanos, long lookMillis, long firstRetryMillis, long mostRetryMillis) {
        static final Limits STANDARD =
                new Limits(TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(30), 1_000, 100, 10_000);
    }

    private static final Logger LOG = LoggerFactory.getLogger(LetGo.class);

    private final NoticeQueue notices;
    private final DomainTable table;
    private final Runnable backendIsDead;
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final BackendPulse pulse;

    /**
     * @param backendIsDead ends the backend's process and returns when it is gone; may be called
     *     again
     * @param nanoTime the clock of {@code notices}
     */
    LetGo(NoticeQueue notices, DomainTable table, Runnable backendIsDead, Limits limits, LongSupplier nanoTime) {
        this.notices = notices;
        this.table = table;
        this.backendIsDead = backendIsDead;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.pulse = new BackendPulse(notices, limits.silentNanos());
    }

    /** Returns when the backend has nothing of the domain any more, or is gone itself. */
    void await(DomainRecord domain) {
        String message = domain.message;
        long retryMillis = limits.firstRetryMillis();
        while (!isDone(domain)) {
            pause(retryMillis);
            retryMillis = Math.min(2 * retryMillis, limits.mostRetryMillis());
        }
        if (domain.withheld) {
            LOG.info("{}: the device domain has let go of it", domain.name());
            domain.message = message;
            domain.withheld = false;
        }
    }

    private boolean isDone(DomainRecord domain) {
        try {
            Acknowledgement answer = acknowledgement(domain);
            if (answer.status() == VerbsStatus.SUCCESS || answer.isBackendLost()) {
                return true;
            }
            withhold(domain, answer.message());
        } catch (RuntimeException | Error e) {
            // Without an answer the frames are not free, whatever it was that failed here.
            LOG.warn("{}: the device domain could not be asked to let go of it", domain.name(), e);
        }
        return false;
    }

    private Acknowledgement acknowledgement(DomainRecord domain) {
        NoticeQueue.Sent sent = notices.send(
                NoticeReply.newBuilder()
                        .setRemoved(DomainRemovedNotice.newBuilder().setDomain(domain.id())),
                List.of());
        while (true) {
            try {
                return sent.get(limits.lookMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                look(domain, sent);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                // Nobody interrupts the end of a domain but the end of this process.
                LOG.debug("{}: interrupted", domain.name());
            }
        }
    }

    private void look(DomainRecord domain, NoticeQueue.Sent sent) {
        long now = nanoTime.getAsLong();
        if (sent.nanosWaiting(now) <= limits.acknowledgeNanos()) {
            return;
        }
        withhold(domain, sent.isTaken() ? "no answer yet" : "it takes no notices");
        if (pulse.isSilent(now)) {
            backendIsDead.run();
        }
    }

    private void withhold(DomainRecord domain, String why) {
        String message = "not let go by the device domain: " + why;
        if (!message.equals(domain.message)) {
            LOG.warn("{}: {}", domain.name(), message);
            domain.message = message;
            domain.withheld = true;
            // Whoever waits for its end need not wait on.
            table.wake();
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            LOG.debug("interrupted");
        }
    }
}
