package io.hyperverbs.frontend;

import io.hyperverbs.frontend.cache.CacheReport;
import io.hyperverbs.frontend.cache.CachedRegions;
import io.hyperverbs.frontend.driver.DriverDevice;
import io.hyperverbs.frontend.driver.DriverParts;
import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.frontend.path.ForwardedChannels;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.trace.TraceSwitch;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Device;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.ControlPath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A domain with its driver: verbs over a control path and a data path. A guest has a forwarded
 * control path (a gRPC device channel); a native program in the device domain a direct one. Any
 * thread.
 */
public final class DriverDomain implements Domain, IpInterface.Provider, AutoCloseable {
    /** Value of the setting {@code events}. */
    private static final String POSTED = "posted";

    private static final long THREADS_END_NANOS = 200_000_000;

    private final Hypercalls machine;
    private final ControlPath control;
    private final GuestRam ram;
    private final PrivilegedVerbs verbs;
    private final EventDispatcher events = new EventDispatcher();
    private final DomainStore store;
    private final VerbTrace trace;
    private final @Nullable TraceSwitch traceSwitch;
    private final DriverDevice device;
    private @Nullable IpInterface ipInterface;

    /** As the other constructor, without a verb log. */
    public DriverDomain(
            Hypercalls machine, ControlPath control, @Nullable ForwardedChannels channels, DataPathKind defaultPath) {
        this(machine, control, channels, defaultPath, VerbTrace.off());
    }

    /**
     * @param machine hypercalls of this domain; stays open when the domain closes
     * @param control this domain's session; closed with the domain
     * @param channels where forwarded data paths run, or null if there are none
     * @param defaultPath of {@link Device#open()}
     * @param trace the verb log; closed with the domain. On from the start with the setting {@code
     *     trace=true}, else as the toolstack's store key says
     */
    public DriverDomain(
            Hypercalls machine,
            ControlPath control,
            @Nullable ForwardedChannels channels,
            DataPathKind defaultPath,
            VerbTrace trace) {
        this.machine = machine;
        this.control = control;
        this.trace = trace;
        this.verbs = new PrivilegedVerbs(control, trace);
        this.ram = new GuestRam(machine.boot().ram());
        this.store = new DomainStore(machine);
        boolean postsEvents = POSTED.equals(machine.boot().settings().get("events"));
        CachedRegions cached = new CachedRegions(new CacheReport(store::report, System::nanoTime));
        ram.beforeFree(cached::forget);
        DriverParts parts = new DriverParts(machine, verbs, ram, cached, events, trace, postsEvents, channels);
        this.device = new DriverDevice(machine.boot().hca(), parts, defaultPath);
        this.traceSwitch = startTrace(machine, trace);
        control.subscribe(events);
    }

    /**
     * The data path of contexts that name none: the first that a domain's settings allow.
     *
     * @param setting {@code bypass}, {@code forwarded}, {@code forwarded-unary}, or several with
     *     commas; null for bypass
     * @throws IllegalArgumentException for anything else
     */
    public static DataPathKind pathOf(@Nullable String setting) {
        if (setting == null) {
            return DataPathKind.BYPASS;
        }
        return switch (setting.split(",", 2)[0]) {
            case "bypass" -> DataPathKind.BYPASS;
            case "forwarded" -> DataPathKind.FORWARDED;
            case "forwarded-unary" -> DataPathKind.FORWARDED_UNARY;
            default ->
                throw new IllegalArgumentException(
                        "path " + setting + ", must be bypass, forwarded or forwarded-unary");
        };
    }

    @Override
    public String name() {
        return machine.boot().name();
    }

    @Override
    public DomainMemory memory() {
        return ram;
    }

    @Override
    public Store store() {
        return store;
    }

    /** Has the domain an interface from now on; before any program runs. */
    public void attach(IpInterface attached) {
        ipInterface = attached;
    }

    @Override
    public Optional<IpInterface> ipInterface() {
        return Optional.ofNullable(ipInterface);
    }

    @Override
    public List<Device> devices() {
        return List.of(device);
    }

    /**
     * Closes what threads of one program among several left open, and frees the memory that they left, unless one of them
     * other than the caller goes on: it might write to what is another's by then.
     */
    public void closeLeftBy(ThreadGroup program) {
        device.closeContextsOf(program);
        if (haveEnded(program)) {
            ram.freeOf(program);
        }
    }

    /** Threads that wait for events of a context end when it is closed, a moment later. */
    private static boolean haveEnded(ThreadGroup program) {
        long endNanos = System.nanoTime() + THREADS_END_NANOS;
        Thread[] threads = new Thread[program.activeCount() + 16];
        int count = program.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (threads[i].equals(Thread.currentThread())) {
                continue;
            }
            try {
                threads[i].join(Duration.ofNanos(Math.max(0, endNanos - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (threads[i].isAlive()) {
                return false;
            }
        }
        return true;
    }

    /** Hypercalls of this domain, for programs that go below the verbs. */
    public Hypercalls hypercalls() {
        return machine;
    }

    /** The session's requests with their log, for executables beside the programs. */
    PrivilegedVerbs privilegedVerbs() {
        return verbs;
    }

    /** Where the session's events arrive, for the same. */
    EventDispatcher events() {
        return events;
    }

    /** The session's requests, for programs that go below the verbs. */
    public ControlPath control() {
        return control;
    }

    /**
     * Closes what the program left open, children before parents, then the control path. What
     * cannot be closed any more goes with the session. Closing twice does nothing.
     */
    @Override
    public void close() {
        // No caller is left to report failures to: the session's end closes the rest.
        device.closeWithChildren(_ -> {});
        if (traceSwitch != null) {
            traceSwitch.close();
        }
        trace.close();
        control.close();
    }

    /** Turns the verb log as the toolstack wants it now: a program that starts after this is traced from its first verb. */
    public void lookAtTrace() throws HypercallException {
        if (traceSwitch != null) {
            boolean _ = traceSwitch.look();
        }
    }

    private static @Nullable TraceSwitch startTrace(Hypercalls machine, VerbTrace trace) {
        if (Boolean.parseBoolean(machine.boot().settings().get("trace"))) {
            trace.turn(true);
            return null;
        }
        return trace.canTurnOn() ? TraceSwitch.start(machine, trace) : null;
    }
}
