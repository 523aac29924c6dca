package io.hyperverbs.backend;

import io.hyperverbs.backend.capture.Captures;
import io.hyperverbs.backend.channel.ChannelLimits;
import io.hyperverbs.backend.channel.ChannelServers;
import io.hyperverbs.backend.event.EventRelay;
import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.event.GuestInterrupts;
import io.hyperverbs.backend.gsi.GsiPort;
import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.QuotaPromises;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.DeviceServices;
import io.hyperverbs.backend.verbs.RequestExecutor;
import io.hyperverbs.backend.verbs.SessionTeardown;
import io.hyperverbs.hca.EngineRunner;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import io.hyperverbs.vmm.posix.HostMemory;
import io.hyperverbs.vmm.posix.PosixException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device domain's driver: plugs the machine into an HCA, opens a session for each domain that
 * the VMM announces, and closes it when the domain is gone (Liu 2006 §4.1).
 *
 * <p>Threads: the engine, the event relay, the notice loop and its workers, the timer of the
 * connection manager, one for the channel of each domain, and one pump per forwarded context. All
 * of them sleep while nothing happens, and confine what they throw (docs/adr/0031).
 */
public final class BackendDomain implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackendDomain.class);

    private final DomainSessions sessions;
    private final NoticeLoop notices;
    private final NoticeWorkers workers = new NoticeWorkers();
    private final EventRelay relay;
    private final EngineRunner engine;
    private final DoorbellEpoll doorbells;
    private final UdpPorts wirePorts;
    private final Journal journal;
    private final Management management;

    private BackendDomain(BackendHypercalls machine, Path stateFolder, NativeHost natives)
            throws HypercallException, PosixException, JournalException {
        // Opening takes longest and runs beside the rest.
        this.journal = Journal.open(stateFolder, Clock.systemUTC());
        this.doorbells = DoorbellEpoll.create();
        HcaLimits limits = HcaSettings.limits(machine.boot().settings());
        PortSettings ports = HcaSettings.ports(machine.boot().settings());
        WireSettings wire = WireSettings.of(machine.boot().settings(), ports);
        wire.neighbours()
                .forEach((name, there) -> LOG.info("link {} to HCA {}: {}", there.link(), name, there.ports()));
        this.wirePorts = UdpPorts.open(wire.addresses(), doorbells);
        EventRoutes routes = new EventRoutes();
        this.relay = new EventRelay(routes);
        MappedExtent context = machine.allocateFrames(
                FrameKind.CONTEXT, (Hca.contextMemoryBytes(limits) - 1) / FrameRun.FRAME_BYTES + 1);
        MappedExtent status = machine.allocateFrames(FrameKind.EVENT, 1);
        Hca hca = new Hca(
                machine.machineMemory(),
                new GuestInterrupts(relay, machine.machineMemory().address()),
                doorbells,
                limits,
                ports,
                wirePorts.network(),
                machineAddress(context),
                machineAddress(status),
                new SecureRandom());
        wire.impair(hca);
        hca.keyLockout(HcaSettings.keyLockout(machine.boot().settings()));
        EngineCores cores = EngineCores.of(machine.boot().settings());
        this.engine = new EngineRunner(hca, WaitingPolicy.hybrid(), () -> place(cores)).start();
        relay.start(hca::poll);
        this.management = new Management(ports, System::nanoTime, GsiPort.of(hca), wire.hcas()).start();
        DeviceServices services =
                new DeviceServices(hca, limits, ports, machine, status, routes, doorbells::wake, management);
        RequestExecutor executor = new RequestExecutor(services, journal, System::nanoTime);
        ChannelServers servers = new ChannelServers(executor, this::violated, ChannelLimits.standard());
        this.sessions = new DomainSessions(
                ports.pkeyTable(),
                new QuotaPromises(limits, BackendDomain::spareBytes),
                executor,
                new SessionTeardown(services),
                servers,
                doorbells,
                journal,
                management);
        this.notices = new NoticeLoop(
                machine,
                sessions,
                new SessionReports(management),
                natives,
                new OperatorCommands(hca, wire, new Captures(hca, executor::tap)),
                doorbells::wake,
                workers.start());
    }

    /**
     * Starts the backend; it serves domains when this returns.
     *
     * @param machine the device domain's hypercalls
     * @param stateFolder of the topology; the journal lies in it
     * @param natives runs native domains
     * @throws HypercallException if the VMM does not give the memory of the HCA
     * @throws PosixException if the kernel gives no epoll
     * @throws JournalException if the journal is damaged
     */
    public static BackendDomain start(BackendHypercalls machine, Path stateFolder, NativeHost natives)
            throws HypercallException, PosixException, JournalException {
        BackendDomain backend = new BackendDomain(machine, stateFolder, natives);
        Thread.ofPlatform().name("notices").daemon().start(backend.notices);
        return backend;
    }

    /** Closes all sessions, then the HCA and the journal. */
    @Override
    public void close() {
        notices.stop();
        for (int domain : sessions.domains()) {
            int left = sessions.close(domain);
            if (left > 0) {
                LOG.error("{} objects of domain {} left", left, domain);
            }
        }
        management.close();
        relay.close();
        engine.close();
        wirePorts.close();
        doorbells.close();
        journal.close();
    }

    /** On a channel thread, which must not wait for the connections it serves to close. */
    private void violated(Session session, String words) {
        session.rejections().count(RejectedAct.PROTOCOL);
        if (!session.rejections().isFirstViolation()) {
            return;
        }
        workers.submit(session.domain(), () -> {
            try {
                journal.violation(session.domain(), session.name(), words);
            } catch (JournalException e) {
                LOG.warn("violation of {} not journalled", session.name(), e);
            }
            sessions.violated(session, words);
        });
    }

    /** The HCA works on whatever core it has. */
    private static void place(EngineCores cores) {
        try {
            cores.placeEngine();
        } catch (RuntimeException | Error e) {
            LOG.warn("the engine has no core of its own", e);
        }
    }

    private static long spareBytes() {
        try {
            return HostMemory.spareBytes();
        } catch (PosixException e) {
            LOG.warn("no memory is promised: {}", e.toString());
            return 0;
        }
    }

    private static long machineAddress(MappedExtent extent) {
        return extent.firstMachineFrame() * FrameRun.FRAME_BYTES;
    }
}
