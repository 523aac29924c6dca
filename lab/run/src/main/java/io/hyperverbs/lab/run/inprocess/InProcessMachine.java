package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.backend.verbs.DirectControlPath;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.capture.PacketTap;
import io.hyperverbs.lab.walk.agent.Clockwork;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * HCAs, their device domains' drivers and domains in one process, on virtual time: nothing sleeps, and timers
 * of the HCA and of the connection manager are over when the clock says so. Domains are native
 * ones. For one thread, which is the engine's too, unless all calls go through {@link
 * #onVirtualTime}.
 */
public final class InProcessMachine implements AutoCloseable {
    private static final int KEYS_SEED = 1;

    private final Arena arena = Arena.ofShared();
    private final Frames frames;
    private final HcaClockwork clockwork = new HcaClockwork();
    private final List<InProcessHca> hcas = new ArrayList<>();
    private final List<DriverDomain> domains = new ArrayList<>();

    /**
     * With one HCA.
     *
     * @param domainFrames of the domains together
     * @param otherFrames of each HCA and of doorbell pages
     * @param folder for the journals
     */
    public InProcessMachine(HcaLimits limits, int domainFrames, int otherFrames, Path folder) throws HvException {
        this(limits, domainFrames, otherFrames, folder, Wiring.none(limits));
    }

    /** With an HCA for each of {@code wirings}. */
    public InProcessMachine(HcaLimits limits, int domainFrames, int otherFrames, Path folder, List<Wiring> wirings)
            throws HvException {
        frames = new Frames(arena, domainFrames + otherFrames * wirings.size());
        try {
            for (Wiring wiring : wirings) {
                int number = hcas.size();
                Journal journal = Journal.open(folder.resolve("hv" + number), Clock.systemUTC());
                InProcessHca hca =
                        new InProcessHca(limits, wiring, frames, journal, clockwork::nowNanos, KEYS_SEED + number);
                hcas.add(hca);
                clockwork.drive(hca);
            }
        } catch (HypercallException e) {
            throw new HvException(ExitCode.FAILURE, "no machine in this process: " + e, "");
        } catch (JournalException e) {
            throw new HvException(ExitCode.FAILURE, "no journal: " + e.getMessage(), "");
        }
    }

    /**
     * One more domain, with settings as the VMM gives them; it is there until the machine closes. The first domain has
     * the first HCA, the next one the next, and so on in turn. Events are forwarded, whatever the settings say: the
     * thread that takes posted ones would not be on virtual time.
     */
    public DriverDomain add(String name, int ramFrames, Map<String, String> settings) throws Refusal {
        return add(
                name,
                ramFrames,
                settings,
                (machine, backend) -> new DriverDomain(machine, backend, null, DataPathKind.BYPASS));
    }

    /**
     * @param driver makes the domain's driver of its hypercalls and its way to the backend
     */
    public DriverDomain add(
            String name,
            int ramFrames,
            Map<String, String> settings,
            BiFunction<Hypercalls, ControlPath, DriverDomain> driver)
            throws Refusal {
        int id = domains.size() + 1;
        MappedExtent ram = frames.take(id, FrameKind.RAM, ramFrames);
        InProcessHca hca = hcas.get(domains.size() % hcas.size());
        Session session = new Session(
                id,
                name,
                true,
                SessionSettings.of(settings, (long) ramFrames * FrameRun.FRAME_BYTES, hca.pkeys()),
                List.of(new FrameRun(ram.firstMachineFrame(), ramFrames)));
        Map<String, String> forwarding = new HashMap<>(settings);
        forwarding.put("events", "forwarded");
        hca.management().open(session);
        DriverDomain domain = driver.apply(
                new LocalHypercalls(frames, new Boot(id, name, List.of(ram), forwarding)),
                new DirectControlPath(session, hca.executor()));
        domains.add(domain);
        return domain;
    }

    /** Shows {@code tap} what the HCAs send, get and carry within themselves from now on; null: nobody. */
    public void capture(@Nullable PacketTap tap) {
        hcas.forEach(hca -> hca.capture(tap));
    }

    /** The machine's time, and what makes it pass. */
    public Clockwork clockwork() {
        return clockwork;
    }

    /** Nanoseconds of virtual time. Any thread. */
    public long nowNanos() {
        return clockwork.nowNanos();
    }

    /**
     * The domain as a program sees it that knows nothing of virtual time: the HCA works at each call,
     * and time passes while it polls or waits. Several threads may use it, one at a time.
     */
    public Domain onVirtualTime(DriverDomain domain) {
        return (Domain) Objects.requireNonNull(new VirtualTime(clockwork).seen(domain));
    }

    @Override
    public void close() {
        domains.forEach(DriverDomain::close);
        hcas.forEach(InProcessHca::close);
        arena.close();
    }
}
