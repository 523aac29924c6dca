package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.DataPaths;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.DirectControlPath;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.lab.run.walk.AgentLink;
import io.hyperverbs.lab.run.walk.WalkTarget;
import io.hyperverbs.lab.walk.agent.WalkAgent;
import io.hyperverbs.lab.walk.model.DomainQuota;
import io.hyperverbs.lab.walk.model.HcaFacts;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/** HCA, backend and domains in this process. For one thread, which is the engine's too. */
public final class InProcessField implements WalkTarget, AutoCloseable {
    /** The name of this way to walk. */
    public static final String WORD = "in-process";

    private static final int LID = 1;
    private static final int MTU_BYTES = 2048;
    private static final HcaLimits LIMITS = new HcaLimits(64, 64, 256, 64, 16, 1 << 16, 64, 8, LID, MTU_BYTES);
    private static final int RAM_FRAMES = 1024;
    private static final int OTHER_FRAMES = 8192;
    private static final int KEYS_SEED = 1;

    /** No thread has to be waited for: only the clock must get far enough. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Arena arena = Arena.ofShared();
    private final Journal journal;
    private final Management management;
    private final HcaClockwork clockwork;
    private final List<DriverDomain> drivers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final HcaFacts facts;

    /**
     * @param folder for the journal
     * @param lens what a program sees of its domain; itself, but for tests
     */
    public InProcessField(int domains, Path folder, UnaryOperator<Domain> lens) throws HvException {
        journal = journal(folder);
        try {
            Frames frames = new Frames(arena, domains * RAM_FRAMES + OTHER_FRAMES);
            EventRoutes routes = new EventRoutes();
            MappedExtent status = frames.allocateFrames(FrameKind.EVENT, 1);
            PortSettings ports = PortSettings.standard(LID, MTU_BYTES);
            Hca hca = hca(frames, ports, status);
            management = new Management(ports, System::nanoTime);
            clockwork = new HcaClockwork(hca, routes);
            DeviceServices services =
                    new DeviceServices(hca, LIMITS, ports, frames, status, routes, () -> {}, management);
            RequestExecutor executor = new RequestExecutor(services, journal, System::nanoTime);
            for (int number = 0; number < domains; number++) {
                add(number, domains, frames, executor, lens);
            }
            facts = HcaFacts.parse(links.getFirst().agent.facts());
        } catch (HypercallException | VerbsException | Refusal e) {
            throw new HvException(ExitCode.FAILURE, "no walk in this process: " + e, "");
        }
    }

    private static Journal journal(Path folder) throws HvException {
        try {
            return Journal.open(folder, Clock.systemUTC());
        } catch (JournalException e) {
            throw new HvException(ExitCode.FAILURE, "no journal: " + e.getMessage(), "");
        }
    }

    private static Hca hca(Frames frames, PortSettings ports, MappedExtent status) throws HypercallException {
        long contextFrames = (Hca.contextMemoryBytes(LIMITS) - 1) / FrameRun.FRAME_BYTES + 1;
        MappedExtent context = frames.allocateFrames(FrameKind.CONTEXT, contextFrames);
        return new Hca(
                frames.machineMemory(),
                () -> {},
                new NoSleep(),
                LIMITS,
                ports,
                context.firstMachineFrame() * FrameRun.FRAME_BYTES,
                status.firstMachineFrame() * FrameRun.FRAME_BYTES,
                new Random(KEYS_SEED));
    }

    private void add(int number, int domains, Frames frames, RequestExecutor executor, UnaryOperator<Domain> lens)
            throws Refusal, VerbsException {
        int id = number + 1;
        String name = WORD + "-" + number;
        MappedExtent ram = frames.take(id, FrameKind.RAM, RAM_FRAMES);
        Map<String, String> settings = new LinkedHashMap<>();
        DomainQuota.settings().forEach((key, max) -> settings.put("quota." + key, "" + max));
        Session session = new Session(
                id,
                name,
                true,
                ShareInit.STANDARD,
                Quota.of(settings, (long) RAM_FRAMES * FrameRun.FRAME_BYTES),
                DataPaths.of(settings),
                List.of(new FrameRun(ram.firstMachineFrame(), RAM_FRAMES)));
        DriverDomain driver = new DriverDomain(
                new LocalHypercalls(frames, new Boot(id, name, List.of(ram), settings)),
                new DirectControlPath(session, executor),
                null,
                DataPathKind.BYPASS);
        drivers.add(driver);
        links.add(new Link(name, new WalkAgent(lens.apply(driver), number, domains, clockwork)));
    }

    @Override
    public List<? extends AgentLink> links() {
        return links;
    }

    @Override
    public HcaFacts hca() {
        return facts;
    }

    @Override
    public Duration unhurried() {
        return PATIENCE;
    }

    @Override
    public Duration hurried() {
        return PATIENCE;
    }

    @Override
    public void close() {
        drivers.forEach(DriverDomain::close);
        management.close();
        journal.close();
        arena.close();
    }

    /** The agent at the other end of a call. */
    private record Link(String name, WalkAgent agent) implements AgentLink {
        @Override
        public String exchange(String burst) throws HvException {
            try {
                return agent.perform(burst);
            } catch (VerbsException e) {
                throw new HvException(ExitCode.FAILURE, name + ": " + e.getMessage(), "");
            }
        }
    }

    /** The engine works when an agent waits. */
    private static final class NoSleep implements DoorbellSleep {
        @Override
        public void sleep(long maxNanos) {}

        @Override
        public void wake() {}
    }
}
