package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.hypercall.HypercallPort;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.InputPipe;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a domain off the machine: its connection, then what the backend has of it, then its frames.
 * A step that fails does not keep the others from being taken, except that the frames go only when
 * the backend has said that no copy into them is in flight ({@link LetGo}).
 */
final class DomainEnd {
    /** The kernel takes a sandbox down in a few of these. */
    private static final long INSIDE_MILLIS = 2_000;

    /** What is in a pipe is written at once. */
    private static final long CONSOLE_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(DomainEnd.class);

    private final Machine machine;
    private final Function<DomainRecord, LetGo> letGo;

    /**
     * @param letGo of a domain's HCA
     */
    DomainEnd(Machine machine, Function<DomainRecord, LetGo> letGo) {
        this.machine = machine;
        this.letGo = letGo;
    }

    /** Begins the end on a thread of its own, once. */
    void begin(DomainRecord domain) {
        if (machine.table().move(domain, DomainState.DYING)) {
            machine.threads().run("end-" + domain.name(), () -> release(domain));
        }
    }

    /**
     * Ends a domain that did not get to run, and returns when it is gone, or all that is left to do
     * is the backend's.
     */
    void now(DomainRecord domain) {
        begin(domain);
        try {
            machine.table()
                    .await(
                            domain,
                            Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED),
                            Long.MAX_VALUE,
                            () -> domain.withheld);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /** Whatever comes out of one step, the next is taken: what is not freed here nobody frees. */
    private static void attempt(DomainRecord domain, Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            LOG.warn("{}: a step of its end failed", domain.name(), e);
        }
    }

    private void release(DomainRecord domain) {
        HypercallPort port = domain.port;
        if (port != null) {
            attempt(domain, port::close);
        }
        attempt(domain, () -> awaitInside(domain));
        attempt(domain, () -> close(domain.group));
        if (domain.announced) {
            letGo.apply(domain).await(domain);
        }
        attempt(domain, () -> machine.grants().removeDomain(domain.id()));
        attempt(domain, () -> machine.frames().freeAll(domain.id()));
        attempt(domain, () -> machine.store().end(domain.name()));
        attempt(domain, () -> machine.uids().release(domain.uid()));
        attempt(domain, () -> close(domain.doorbell));
        attempt(domain, () -> close(domain.event));
        attempt(domain, () -> close(domain.verbsLog));
        attempt(domain, () -> close(domain.network));
        attempt(domain, () -> awaitVerbs(domain));
        attempt(domain, () -> close(domain.input));
        attempt(domain, () -> domain.folder().removeSockets());
        boolean well = domain.stopRequested || (domain.exitCode == 0 && domain.message.isEmpty());
        machine.table().move(domain, well ? DomainState.SHUT_DOWN : DomainState.CRASHED);
        if (domain.kind() == DomainKind.BACKEND) {
            machine.hcas().ended(domain);
        }
    }

    private static void awaitInside(DomainRecord domain) throws InterruptedException {
        DomainProcess process = domain.process;
        if (process != null && !process.awaitInside(INSIDE_MILLIS)) {
            LOG.warn("{}: its sandbox does not end", domain.name());
        }
        if (process != null && !process.awaitConsole(CONSOLE_MILLIS)) {
            LOG.warn("{}: its output does not end", domain.name());
        }
    }

    /** Who reads that the domain has ended finds all of its verb log. */
    private static void awaitVerbs(DomainRecord domain) throws InterruptedException {
        Console verbs = domain.verbs;
        if (verbs != null && !verbs.awaitEnd(CONSOLE_MILLIS)) {
            LOG.warn("{}: its verb log does not end", domain.name());
        }
    }

    /** Nothing of a guest runs on, whatever its sandbox did. */
    private static void close(@Nullable GuestGroup group) {
        if (group != null) {
            group.close();
        }
    }

    private static void close(@Nullable Fd descriptor) {
        if (descriptor != null) {
            descriptor.close();
        }
    }

    private static void close(@Nullable DomainNetwork network) {
        if (network != null) {
            network.close();
        }
    }

    private static void close(@Nullable InputPipe input) {
        if (input != null) {
            input.close();
        }
    }

    private static void close(@Nullable EventFd eventFd) {
        if (eventFd != null) {
            eventFd.close();
        }
    }
}
