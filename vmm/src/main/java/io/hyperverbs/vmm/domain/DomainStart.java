package io.hyperverbs.vmm.domain;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.envelope.GuestGroup;
import io.hyperverbs.vmm.envelope.GuestLimits;
import io.hyperverbs.vmm.hypercall.HypercallPort;
import io.hyperverbs.vmm.hypercall.WireExtents;
import io.hyperverbs.vmm.hypercall.wire.DomainAddedNotice;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.memory.Extent;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.FrameTable;
import io.hyperverbs.vmm.posix.EventFd;
import io.hyperverbs.vmm.posix.InputPipe;
import io.hyperverbs.vmm.posix.Pipe;
import io.hyperverbs.vmm.sandbox.ConfinedJvm;
import io.hyperverbs.vmm.sandbox.Sandbox;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import io.hyperverbs.vmm.sandbox.StartArchive;
import io.hyperverbs.vmm.sandbox.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a domain: memory, then the process while the backend is asked for its consent, without which the process gets
 * no answer to its greeting, then its ready call. If a step fails, {@link DomainEnd} undoes those before it.
 */
final class DomainStart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DomainStart.class);
    private static final long READY_SECONDS = 60;
    private static final long ANNOUNCE_SECONDS = 10;

    /** The backend maps every page of a domain's memory before it answers; a busy computer maps this much in a second. */
    private static final long MAPPED_IN_A_SECOND = 64L << 20;

    private static final int TOKEN_BYTES = 16;

    private final Machine machine;
    private final ExecutableRoom executables;
    private final SecureRandom random = new SecureRandom();

    DomainStart(Machine machine, Path state) {
        this.machine = machine;
        this.executables = new ExecutableRoom(state);
    }

    DomainRecord start(DomainSpec spec) throws MachineException {
        DomainNames.check(spec.name(), spec.kind());
        if (machine.isClosing()) {
            throw new MachineException(VerbsStatus.EIO, "the machine is shutting down");
        }
        boolean device = spec.kind() == DomainKind.BACKEND;
        HcaRecord hca = device ? machine.hcas().add(spec.hca()) : machine.hcas().running(spec.hca());
        boolean begun = false;
        try {
            DomainRecord domain = begin(spec, hca);
            begun = true;
            return started(domain);
        } finally {
            if (device && !begun) {
                machine.hcas().remove(hca);
            }
        }
    }

    /** Enters a domain into the tables; nothing is left of one that cannot be. */
    private DomainRecord begin(DomainSpec spec, HcaRecord hca) throws MachineException {
        if (spec.kind() == DomainKind.GUEST && machine.sandbox() == null) {
            throw new MachineException(VerbsStatus.EPERM, "no sandbox works on this computer");
        }
        checkClassPath(spec);
        ExecutableRoom.check(spec, machine.sandbox());
        DomainNetwork.check(spec, machine.sandbox());
        DomainRecord domain = newDomain(spec, hca);
        boolean added = false;
        try {
            machine.table().add(domain);
            machine.store().begin(domain.name());
            if (spec.kind() == DomainKind.BACKEND) {
                hca.ownedBy(domain);
            }
            added = true;
            return domain;
        } finally {
            if (!added) {
                machine.uids().release(domain.uid());
            }
        }
    }

    private DomainRecord started(DomainRecord domain) throws MachineException {
        try {
            run(domain);
            return domain;
        } catch (MachineException e) {
            fail(domain, e.getMessage());
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            // Errors too: this start has taken things that nobody else gives back.
            LOG.warn("{} did not start", domain.name(), e);
            String words = e.getMessage() == null ? e.toString() : e.getMessage();
            fail(domain, words);
            throw new MachineException(FailureStatus.of(e), words);
        }
    }

    /** A sandbox would fail on it without saying so. */
    private static void checkClassPath(DomainSpec spec) throws MachineException {
        for (Path entry : spec.classPath()) {
            if (!entry.isAbsolute() || !Files.exists(entry)) {
                throw new MachineException(VerbsStatus.EINVAL, "no class path entry " + entry + ", absolute and there");
            }
        }
    }

    private DomainRecord newDomain(DomainSpec spec, HcaRecord hca) throws MachineException {
        int id = machine.nextId();
        Sandbox sandbox = machine.sandbox();
        boolean ownUser = spec.kind() == DomainKind.GUEST && sandbox != null && sandbox.tier() == SandboxTier.ROOT;
        byte[] token = new byte[TOKEN_BYTES];
        random.nextBytes(token);
        DomainFolder folder = new DomainFolder(
                machine.state().resolve("domains").resolve(spec.name()),
                machine.state().resolve("logs").resolve(spec.name() + ".log"));
        return new DomainRecord(
                id, spec, hca, folder, ownUser ? machine.uids().take() : 0, token, System.currentTimeMillis());
    }

    private void run(DomainRecord domain) throws MachineException, IOException {
        domain.folder().prepare(domain.uid());
        if (domain.kind() != DomainKind.BACKEND) {
            takeMemory(domain);
            Sandbox sandbox = machine.sandbox();
            domain.network = DomainNetwork.open(domain, sandbox == null ? SandboxTier.NONE : sandbox.tier());
        }
        if (domain.kind() == DomainKind.GUEST) {
            domain.doorbell = EventFd.create();
            domain.event = EventFd.create();
            Pipe verbsLog = Pipe.create();
            domain.verbsLog = verbsLog.writeEnd();
            domain.verbs =
                    Console.start(verbsLog.input(), domain.folder().verbsLog(), LogPace.standard(System.nanoTime()));
        }
        if (domain.kind() != DomainKind.NATIVE) {
            domain.port = HypercallPort.open(
                    domain.name(), domain.folder().hypercallSocket(), domain.token(), new DomainCalls(machine, domain));
            domain.folder().giveSocket(domain.uid());
        }
        NoticeQueue.Sent announced = domain.kind() == DomainKind.BACKEND ? null : announce(domain);
        if (domain.kind() != DomainKind.NATIVE) {
            checkNotStopped(domain);
            startProcess(domain);
        }
        if (announced != null) {
            awaitConsent(domain, announced);
        }
        checkNotStopped(domain);
        domain.admitted.complete(null);
        if (domain.kind() != DomainKind.NATIVE) {
            awaitReady(domain, READY_SECONDS);
            DomainProcess started = domain.process;
            if (started != null) {
                started.noteInside();
            }
        }
        if (!machine.table().move(domain, DomainState.RUNNING)) {
            throw new MachineException(VerbsStatus.EIO, "ended at once");
        }
        // It may have ended before it was said to run, when the end could not begin yet.
        DomainProcess process = domain.process;
        if (process != null && process.onExit().isDone()) {
            machine.processEnded(domain, process.exitCode());
        } else if (domain.nativeExited) {
            machine.nativeExited(domain, domain.exitCode);
        }
    }

    private static void checkNotStopped(DomainRecord domain) throws MachineException {
        if (domain.stopRequested) {
            throw new MachineException(VerbsStatus.EINTR, "stopped while it started");
        }
    }

    private void takeMemory(DomainRecord domain) throws MachineException {
        long bytes = domain.spec().memoryBytes();
        domain.ram = takeMemory(domain, bytes);
        Executables room = Executables.of(domain.spec().settings());
        if (domain.kind() == DomainKind.GUEST) {
            List<Extent> taken = new ArrayList<>();
            for (int i = 0; i < room.count(); i++) {
                taken.add(takeMemory(domain, room.memoryBytes()));
            }
            domain.executables = List.copyOf(taken);
        }
    }

    private Extent takeMemory(DomainRecord domain, long bytes) throws MachineException {
        long frames = Math.ceilDiv(bytes, FrameTable.FRAME_BYTES);
        Extent memory = machine.frames().allocate(domain.id(), FrameKind.RAM, frames);
        if (memory == null) {
            throw new MachineException(
                    bytes <= 0 ? VerbsStatus.EINVAL : VerbsStatus.ENOMEM, "no memory of " + bytes + " bytes");
        }
        return memory;
    }

    private NoticeQueue.Sent announce(DomainRecord domain) throws IOException {
        DomainSpec spec = domain.spec();
        DomainAddedNotice.Builder added = DomainAddedNotice.newBuilder()
                .setDomain(domain.id())
                .setName(domain.name())
                .setNative(domain.kind() != DomainKind.GUEST)
                .setFolder(domain.folder().path().toString())
                .putAllSettings(spec.settings())
                .setMainClass(spec.mainClass())
                .addAllArgs(spec.args())
                .setLogFile(domain.folder().log().toString())
                .addAllClassPath(spec.classPath().stream().map(Path::toString).toList())
                .setUid(domain.uid())
                .setToken(ByteString.copyFrom(domain.token()));
        domain.memory().forEach(extent -> added.addRam(WireExtents.of(extent)));
        domain.announced = true;
        return domain.hca()
                .notices()
                .send(NoticeReply.newBuilder().setAdded(added), DomainCalls.descriptors(machine, domain, true));
    }

    private static void awaitConsent(DomainRecord domain, NoticeQueue.Sent announced) throws MachineException {
        NoticeQueue.Acknowledgement answer = await(
                announced,
                ANNOUNCE_SECONDS + memoryBytes(domain) / MAPPED_IN_A_SECOND,
                "the backend domain does not answer");
        if (answer.status() != VerbsStatus.SUCCESS) {
            // It keeps nothing of a domain that it refused.
            domain.announced = false;
            throw new MachineException(answer.status(), answer.message());
        }
        domain.announcedMillis = System.currentTimeMillis();
    }

    private static long memoryBytes(DomainRecord domain) {
        return domain.memory().stream().mapToLong(Extent::lengthBytes).sum();
    }

    private void startProcess(DomainRecord domain) throws IOException {
        List<String> command = domain.kind() == DomainKind.BACKEND
                ? backendCommand(domain)
                : grouped(domain, guestCommand(domain, machine.sandbox()));
        DomainProcess process =
                machine.starter().start(command, domain.token(), domain.folder().path(), streams(domain));
        domain.process = process;
        domain.processMillis = System.currentTimeMillis();
        var _ = process.onExit()
                .thenAcceptAsync(
                        ended -> machine.processEnded(domain, ended.exitValue()),
                        task -> machine.threads().run("end-" + domain.name(), task));
    }

    private static ProcessStreams streams(DomainRecord domain) throws IOException {
        Path log = domain.folder().log();
        if (domain.kind() != DomainKind.GUEST) {
            return new ProcessStreams(log, LogPace.none(), false, null);
        }
        InputPipe input = null;
        if (domain.spec().settings().containsKey(DomainSpec.INPUT_SETTING)) {
            input = InputPipe.create();
            domain.input = input;
        }
        return new ProcessStreams(log, LogPace.standard(System.nanoTime()), true, input);
    }

    private List<String> backendCommand(DomainRecord domain) {
        DomainSpec spec = domain.spec();
        List<String> command = new ArrayList<>();
        // Without setpriv the backend notices the lost connection a little later.
        Tools.find("setpriv").ifPresent(setpriv -> command.addAll(List.of(setpriv, "--pdeathsig", "KILL")));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(spec.jvmOptions());
        spec.startArchive().ifPresent(file -> command.addAll(StartArchive.use(file.toString())));
        command.add("-cp");
        command.add(
                String.join(":", spec.classPath().stream().map(Path::toString).toList()));
        command.add(spec.mainClass());
        Path folder = domain.folder().path();
        command.addAll(List.of("--folder", folder.toString()));
        // Its journal: in the machine's folder if it is the only one that may be there.
        Path journal = domain.name().equals(DomainNames.BACKEND) ? machine.state() : folder;
        command.addAll(List.of("--state", journal.toString()));
        command.addAll(spec.args());
        return command;
    }

    /** The same, run in groups of the domain's own. */
    private List<String> grouped(DomainRecord domain, List<String> command) throws IOException {
        GuestLimits limits = GuestLimits.of(domain.spec().settings());
        GuestGroup group = machine.envelope().guest(domain.name(), domain.id(), limits);
        domain.group = group;
        return group.enter(command);
    }

    private List<String> guestCommand(DomainRecord domain, @Nullable Sandbox sandbox) throws IOException {
        if (sandbox == null) {
            throw new IllegalStateException("guest without a sandbox");
        }
        DomainSpec spec = domain.spec();
        domain.sandboxTier = sandbox.tier().label();
        return sandbox.command(new ConfinedJvm(
                Path.of(System.getProperty("java.home")),
                spec.classPath(),
                spec.startArchive(),
                executables.view(domain, sandbox),
                domain.folder().path(),
                spec.memoryBytes(),
                domain.uid(),
                spec.jvmOptions(),
                spec.mainClass(),
                spec.args()));
    }

    /** Waits until it says ready; who gives up says how far it had come. */
    static void awaitReady(DomainRecord domain, long seconds) throws MachineException {
        try {
            await(domain.ready, seconds, "");
        } catch (MachineException e) {
            if (e.status() != VerbsStatus.ETIMEDOUT) {
                throw e;
            }
            String reached = domain.pid == 0
                    ? "its JVM has not connected to the VMM"
                    : "its driver has connected to the VMM, but is not up";
            throw new MachineException(
                    e.status(), "not ready within the " + seconds + " s that a start may take: " + reached);
        }
    }

    private static <T> T await(Future<T> future, long seconds, String late) throws MachineException {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new MachineException(VerbsStatus.ETIMEDOUT, late);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MachineException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
    }

    private void fail(DomainRecord domain, String message) {
        domain.message = message.lines().findFirst().orElse("");
        DomainProcess process = domain.process;
        try {
            if (process != null) {
                process.kill();
                process.awaitExit(TimeUnit.SECONDS.toMillis(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            machine.endNow(domain);
        }
    }

    /** Nothing starts any more. */
    @Override
    public void close() {
        executables.close();
    }
}
