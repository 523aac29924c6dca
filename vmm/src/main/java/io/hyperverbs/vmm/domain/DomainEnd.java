package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallPort;
import io.hyperverbs.vmm.hypercall.wire.DomainRemovedNotice;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.posix.EventFd;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Takes a domain off the machine: its connection, then what the backend has of it, then its frames.
 * The frames go only when the backend has said that no copy into them is in flight.
 */
final class DomainEnd {
    /** The backend answers a notice within this time, or it is taken for dead. */
    static final long ACKNOWLEDGE_SECONDS = 10;

    /** The kernel takes a sandbox down in a few of these. */
    private static final long INSIDE_MILLIS = 2_000;

    /** What is in a pipe is written at once. */
    private static final long CONSOLE_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(DomainEnd.class);

    private final Machine machine;

    DomainEnd(Machine machine) {
        this.machine = machine;
    }

    static Thread thread(Domain domain, Runnable work) {
        return Thread.ofPlatform().daemon().name("end-" + domain.name()).unstarted(work);
    }

    /** Begins the end on a thread of its own, once. */
    void begin(Domain domain) {
        if (machine.table().move(domain, DomainState.DYING)) {
            thread(domain, () -> release(domain)).start();
        }
    }

    /** Ends a domain that did not get to run, and returns when it is gone. */
    void now(Domain domain) {
        if (machine.table().move(domain, DomainState.DYING)) {
            release(domain);
        }
    }

    private void release(Domain domain) {
        HypercallPort port = domain.port;
        if (port != null) {
            port.close();
        }
        awaitInside(domain);
        if (domain.announced && !backendLetGo(domain)) {
            machine.backendHangs();
        }
        machine.grants().removeDomain(domain.id());
        machine.frames().freeAll(domain.id());
        machine.store().removeAll(domain.name());
        machine.uids().release(domain.uid());
        close(domain.doorbell);
        close(domain.event);
        try {
            domain.folder().removeSockets();
            if (domain.message.startsWith(DomainReport.ENDED_BY_VMM)) {
                FileTree.delete(domain.folder().out());
            }
        } catch (IOException e) {
            LOG.warn("{}: {}", domain.name(), e.getMessage());
        }
        boolean well = domain.stopRequested || (domain.exitCode == 0 && domain.message.isEmpty());
        machine.table().move(domain, well ? DomainState.SHUT_DOWN : DomainState.CRASHED);
        if (domain.kind() == DomainKind.BACKEND) {
            machine.backendEnded(domain);
        }
    }

    private static void awaitInside(Domain domain) {
        DomainProcess process = domain.process;
        try {
            if (process != null && !process.awaitInside(INSIDE_MILLIS)) {
                LOG.warn("{}: its sandbox does not end", domain.name());
            }
            if (process != null && !process.awaitConsole(CONSOLE_MILLIS)) {
                LOG.warn("{}: its output does not end", domain.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean backendLetGo(Domain domain) {
        NoticeReply.Builder removed =
                NoticeReply.newBuilder()
                        .setRemoved(DomainRemovedNotice.newBuilder().setDomain(domain.id()));
        try {
            NoticeQueue.Acknowledgement answer =
                    machine.notices()
                            .send(removed, List.of())
                            .get(ACKNOWLEDGE_SECONDS, TimeUnit.SECONDS);
            if (answer.status() != VerbsStatus.SUCCESS) {
                LOG.warn("{}: the backend says {}", domain.name(), answer);
            }
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void close(@Nullable EventFd eventFd) {
        if (eventFd != null) {
            eventFd.close();
        }
    }
}
