package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.envelope.Controller;
import io.hyperverbs.vmm.envelope.GroupsFound;
import io.hyperverbs.vmm.envelope.MachineEnvelope;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.memory.GrantTable;
import io.hyperverbs.vmm.memory.MachineMapping;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.sandbox.Sandbox;
import io.hyperverbs.vmm.store.KeyValueStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The simulated machine: memory, store and domains. Callable from any thread. */
public final class Machine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Machine.class);

    /** A domain that is killed is gone by then, or the VMM cannot do its work. */
    private static final long KILL_MILLIS = 10_000;

    /** What guests get to end by themselves when the whole machine goes. */
    private static final int SHUTDOWN_GRACE_MILLIS = 500;

    /** The backend closes its journal. */
    private static final int BACKEND_GRACE_MILLIS = 1_500;

    private final Path state;
    private final @Nullable Sandbox sandbox;
    private final MachineEnvelope envelope;
    private final HcaTable hcas;
    private final FrameTable frames;
    private final GrantTable grants = new GrantTable();
    private final KeyValueStore store = new KeyValueStore();
    private final DomainTable table = new DomainTable();
    private final ProcessStarter starter = new ProcessStarter();
    private final DomainStart start;
    private final ReserveThreads threads = new ReserveThreads();
    private final DomainEnd end = new DomainEnd(this, domain -> domain.hca().letGo());
    private final DomainUids uids = new DomainUids();
    private final AtomicInteger lastId = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();

    /**
     * @param state the topology's folder
     * @param sandbox where guests run; null: none works, and guests are refused
     * @param lastHcaLost called when a device domain ends, was not asked to, and no other is left
     */
    public Machine(Path state, @Nullable Sandbox sandbox, Runnable lastHcaLost) throws PosixException {
        this(state, sandbox, MachineEnvelope.none(), lastHcaLost);
    }

    /** The same with groups for guests. */
    public Machine(Path state, @Nullable Sandbox sandbox, MachineEnvelope envelope, Runnable lastHcaLost)
            throws PosixException {
        this.state = state;
        this.sandbox = sandbox;
        this.start = new DomainStart(this, state);
        this.envelope = envelope;
        this.hcas = new HcaTable(this, lastHcaLost);
        if (sandbox != null && !sandbox.limitsThreads()) {
            GuestWatch.start(table::live);
        }
        if (envelope.found().has(Controller.CPU)) {
            ProcessorCharge.start(table::live);
        }
        this.frames = new FrameTable(MachineMapping.reservableBytes() / FrameTable.FRAME_BYTES);
    }

    public FrameTable frames() {
        return frames;
    }

    public GrantTable grants() {
        return grants;
    }

    public KeyValueStore store() {
        return store;
    }

    DomainTable table() {
        return table;
    }

    HcaTable hcas() {
        return hcas;
    }

    /** Where the ends of domains run. */
    ReserveThreads threads() {
        return threads;
    }

    ProcessStarter starter() {
        return starter;
    }

    DomainUids uids() {
        return uids;
    }

    Path state() {
        return state;
    }

    @Nullable
    Sandbox sandbox() {
        return sandbox;
    }

    /** Tier of the guests' sandbox, as {@code SandboxTier.label()}; empty if there is none. */
    public String sandboxTier() {
        return sandbox == null ? "" : sandbox.tier().label();
    }

    MachineEnvelope envelope() {
        return envelope;
    }

    /** What limits guests besides their sandbox. */
    public GroupsFound groups() {
        return envelope.found();
    }

    int nextId() {
        return lastId.incrementAndGet();
    }

    /** Whether all domains are being ended. */
    public boolean isClosing() {
        return closing.get();
    }

    /**
     * Starts a domain, and returns when its driver is ready.
     *
     * @throws MachineException and nothing is left of it but a record of why
     */
    public DomainReport start(DomainSpec spec) throws MachineException {
        return table.report(start.start(spec));
    }

    /**
     * Ends a domain: asks it to, and kills it after {@code graceMillis}. Returns when its memory is
     * free.
     *
     * @throws MachineException ETIMEDOUT if it does not end, or the device domain does not release
     *     of it, with the domain's message
     */
    public DomainReport stop(String name, int graceMillis) throws MachineException {
        DomainRecord domain = find(name);
        try {
            stop(domain, graceMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
        return table.report(domain);
    }

    private void stop(DomainRecord domain, int graceMillis) throws InterruptedException, MachineException {
        domain.stopRequested = true;
        DomainProcess process = domain.process;
        if (domain.kind() == DomainKind.NATIVE) {
            end.begin(domain);
        } else if (process != null) {
            if (graceMillis > 0 && table.stateOf(domain) == DomainState.RUNNING) {
                process.terminate(domain.pid);
                if (!process.awaitExit(graceMillis)) {
                    process.kill();
                }
            } else {
                process.kill();
            }
        }
        if (!table.await(
                domain,
                Set.of(DomainState.SHUT_DOWN, DomainState.CRASHED),
                TimeUnit.MILLISECONDS.toNanos(KILL_MILLIS),
                () -> domain.withheld)) {
            throw new MachineException(
                    VerbsStatus.ETIMEDOUT,
                    "domain " + domain.name() + (domain.withheld ? " is " + domain.message : " does not end"));
        }
    }

    /**
     * Waits until a domain is in one of some states.
     *
     * @param abandoned looked at when {@link #wakeWaiters} is called
     * @throws MachineException ETIMEDOUT after {@code timeoutMillis}
     */
    public DomainReport await(String name, Set<DomainState> states, long timeoutMillis, BooleanSupplier abandoned)
            throws MachineException {
        DomainRecord domain = find(name);
        try {
            if (!table.await(domain, states, timeoutMillis * 1_000_000, abandoned)) {
                throw new MachineException(
                        VerbsStatus.ETIMEDOUT, "domain " + name + " is " + table.stateOf(domain) + ", not " + states);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
        return table.report(domain);
    }

    /**
     * Takes a port of an HCA up or down; returns when it is so.
     *
     * @param hca its name; empty for the only one
     * @param port from 1
     * @throws MachineException ENOENT: no such HCA; EINVAL: no such port, or no HCA named of several;
     *     EIO: no backend; ETIMEDOUT
     */
    public void setPort(String hca, int port, boolean up) throws MachineException {
        hcas.find(hca).questions().setPort(port, up);
    }

    /**
     * Sets what happens to packets on the link between two HCAs, in both directions; returns when both HCAs have it. Of
     * a link to another host's HCA that is the direction to this machine's.
     *
     * @param settings in the words of topologies, such as {@code loss=1% delay=10us}, or {@code none}
     * @throws MachineException ENOENT: no such HCA or link; EINVAL: settings that are none; EIO: no device domain;
     *     ETIMEDOUT. It says which HCA has them and which has not
     */
    public void setLink(String first, String second, String settings) throws MachineException {
        new LinkChange(hcas.ends(first, second)).set(settings, LinkChange.ANSWER_MILLIS);
    }

    /**
     * Begins to capture what passes an HCA.
     *
     * @param hca its name; empty for the only one
     * @throws MachineException as for {@link #setPort}; EBUSY: somebody else does; ENOMEM: no room for the rings
     */
    public MachineCapture capture(String hca, MachineCapture.Settings settings) throws MachineException {
        return MachineCapture.start(table, hcas.find(hca), settings);
    }

    /**
     * The domain that owns an HCA and the memory on board of it.
     *
     * @param hca its name; empty for the only one
     * @return its id; 0 if the HCA has none yet, or none is named and there is none
     * @throws MachineException as for {@link #setPort}
     */
    public int deviceDomain(String hca) throws MachineException {
        DomainRecord domain =
                hca.isEmpty() && hcas.isEmpty() ? null : hcas.find(hca).deviceDomain();
        return domain == null ? 0 : domain.id();
    }

    /**
     * What the backend has of a domain.
     *
     * @param after only connection manager ids with larger numbers
     * @throws MachineException ENOENT: no such domain, or no session; EIO: no backend; ETIMEDOUT
     */
    public SessionReportMessage describeSession(String name, int after) throws MachineException {
        DomainRecord domain = find(name);
        return domain.hca().questions().describeSession(domain.id(), after);
    }

    public void wakeWaiters() {
        table.wake();
    }

    public List<DomainReport> domains() {
        return table.reports();
    }

    DomainRecord find(String name) throws MachineException {
        DomainRecord domain = table.find(name);
        if (domain == null) {
            throw new MachineException(VerbsStatus.ENOENT, "no domain " + name);
        }
        return domain;
    }

    /** The process of a domain is gone. */
    void processEnded(DomainRecord domain, int exitCode) {
        domain.exitCode = exitCode;
        String ending = domain.endOfProcess(exitCode);
        if (ending.startsWith(DomainReport.ENDED_BY_KERNEL)) {
            domain.message = ending;
        }
        domain.ready.completeExceptionally(new MachineException(VerbsStatus.EIO, ending + " before ready"));
        if (domain.kind() == DomainKind.BACKEND) {
            hcas.processEnded(domain, ending);
        }
        if (table.stateOf(domain) != DomainState.STARTING) {
            end.begin(domain);
        }
    }

    /** Undoes what a failed start has done. */
    void endNow(DomainRecord domain) {
        end.now(domain);
    }

    void nativeExited(DomainRecord domain, int exitCode) {
        domain.exitCode = exitCode;
        domain.nativeExited = true;
        if (table.stateOf(domain) != DomainState.STARTING) {
            end.begin(domain);
        }
    }

    /** The VMM cannot serve a domain's calls any more: that domain ends, and says why. */
    void hypercallsFailed(DomainRecord domain, Throwable failure) {
        String why = "stopped, as the VMM failed to serve its hypercalls: " + failure;
        end(domain, FailureStatus.of(failure), why.lines().findFirst().orElse(""), 0);
    }

    /**
     * Ends a domain at once, which says why.
     *
     * @param exitCode of one that has no process; others have that of theirs
     */
    void end(DomainRecord domain, VerbsStatus status, String why, int exitCode) {
        domain.message = why;
        domain.ready.completeExceptionally(new MachineException(status, why));
        DomainProcess process = domain.process;
        if (process != null) {
            process.kill();
        } else if (domain.kind() == DomainKind.NATIVE) {
            nativeExited(domain, exitCode);
        }
    }

    /** Ends all domains, guests together and the device domains last. Nothing is started any more. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            stopAll(domain -> domain.kind() != DomainKind.BACKEND, SHUTDOWN_GRACE_MILLIS);
            stopAll(domain -> true, BACKEND_GRACE_MILLIS);
        } catch (InterruptedException e) {
            // The starter's thread takes what is left with it.
            Thread.currentThread().interrupt();
        } finally {
            start.close();
            starter.close();
        }
    }

    private void stopAll(Predicate<DomainRecord> which, int graceMillis) throws InterruptedException {
        List<Thread> stops = table.live().stream()
                .filter(which)
                .map(domain -> stopLater(domain, graceMillis))
                .toList();
        for (Thread stop : stops) {
            stop.join();
        }
    }

    private Thread stopLater(DomainRecord domain, int graceMillis) {
        return Thread.ofPlatform().daemon().name("stop-" + domain.name()).start(() -> {
            try {
                stop(domain, graceMillis);
            } catch (MachineException e) {
                LOG.error("{}", e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
