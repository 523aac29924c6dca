package io.hyperverbs.vmm;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.control.MachineServer;
import io.hyperverbs.vmm.domain.Machine;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.VmmLog;
import io.hyperverbs.vmm.envelope.MachineEnvelope;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import io.hyperverbs.vmm.sandbox.Sandbox;
import io.hyperverbs.vmm.sandbox.SandboxChoice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import io.hyperverbs.vmm.sandbox.SandboxReport;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The VMM process of one topology. Prints one line, {@code ready tier=2 pid=...} or {@code error
 * CODE MESSAGE}, and then logs to logs/vmm.log. Ends by the shutdown call, SIGTERM, SIGINT, the end
 * of standard input unless detached, or the loss of the backend domain; takes all domains and the
 * state folder with it.
 */
public final class VmmMain {
    private static final int EXIT_FAILURE = 1;
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_CONFLICT = 5;
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    private final VmmOptions options;
    private final VmmLog log;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicInteger exitCode = new AtomicInteger();
    private @Nullable StateFolder folder;
    private @Nullable Machine machine;
    private @Nullable MachineServer server;
    private @Nullable MachineEnvelope envelope;
    private boolean closed;

    private VmmMain(VmmOptions options) {
        this.options = options;
        this.log = new VmmLog(options.state().resolve("logs/vmm.log"));
    }

    /** Arguments: see {@link VmmOptions}. */
    public static void main(String... args) throws InterruptedException {
        PrintStream console = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        VmmMain vmm;
        ProcessAttributes.closeNewFiles();
        try {
            VmmOptions options = VmmOptions.parse(args);
            checkPathLength(options.state());
            vmm = new VmmMain(options);
        } catch (IllegalArgumentException e) {
            exit(console, EXIT_USAGE, e.getMessage());
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(vmm::close, "shutdown"));
        StateFolder claimed;
        try {
            claimed = vmm.claim();
        } catch (MachineException e) {
            exit(console, EXIT_CONFLICT, e.getMessage());
            return;
        } catch (IOException e) {
            exit(console, EXIT_FAILURE, "cannot make the state folder: " + e);
            return;
        }
        try {
            String tier = vmm.start(claimed);
            console.println(
                    "ready tier=" + tier + " pid=" + ProcessHandle.current().pid());
            vmm.log.takeStandardStreams();
        } catch (IOException | MachineException | RuntimeException e) {
            exit(console, EXIT_FAILURE, String.valueOf(e.getMessage()));
        }
        vmm.awaitStop();
    }

    private static void checkPathLength(Path state) {
        int bytes = state.resolve("vmm.sock").toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_SOCKET_PATH_BYTES) {
            throw new IllegalArgumentException(
                    "socket path of " + bytes + " bytes in " + state + ", at most " + MAX_SOCKET_PATH_BYTES);
        }
    }

    private static void exit(PrintStream console, int code, @Nullable String message) {
        String line = message == null ? "" : message.lines().findFirst().orElse("");
        console.println("error " + code + " " + line);
        System.exit(code);
    }

    /** Alone with {@link #close}, which removes what this makes. */
    private synchronized StateFolder claim() throws IOException, MachineException {
        checkOpen();
        StateFolder claimed = StateFolder.claim(options.state());
        folder = claimed;
        return claimed;
    }

    private void checkOpen() throws MachineException {
        if (closed) {
            throw new MachineException(VerbsStatus.EINTR, "ended while it started");
        }
    }

    /** Returns the tier of the guests' sandbox. Alone with {@link #close}. */
    private synchronized String start(StateFolder folder) throws IOException, MachineException {
        checkOpen();
        leaveTerminal();
        ProcessAttributes.forbidInspection();
        redirectOutput(folder);
        Path file = options.descriptionFile();
        String description = file == null ? "" : Files.readString(file);
        Sandbox sandbox = sandbox();
        MachineEnvelope limits =
                options.groups() ? MachineEnvelope.open(options.name(), folder.path()) : MachineEnvelope.none();
        envelope = limits;
        Machine built = new Machine(folder.path(), sandbox, limits, this::backendLost);
        machine = built;
        server = MachineServer.start(folder.socket(), built, options.name(), description, () -> stop(0));
        if (!options.detached()) {
            Thread.ofPlatform().daemon().name("stdin").start(this::awaitEndOfInput);
        }
        return sandbox.tier().label();
    }

    private Sandbox sandbox() throws MachineException {
        if (options.insecure()) {
            return SandboxProbe.none();
        }
        SandboxChoice wanted = options.sandbox();
        SandboxReport report = wanted == null ? SandboxProbe.probe() : SandboxProbe.probe(wanted);
        Sandbox sandbox = report.sandbox();
        if (sandbox == null) {
            throw new MachineException(
                    VerbsStatus.EPERM, report.summary() + "; --insecure-no-isolation runs guests without");
        }
        LoggerFactory.getLogger(VmmMain.class).info("guests run in {}", report.summary());
        return sandbox;
    }

    /** Its signals are for the toolstack, and guests must have none to write to. */
    private static void leaveTerminal() {
        try {
            ProcessAttributes.newSession();
        } catch (PosixException e) {
            // Its parent process has given it a session of its own already.
        }
    }

    /** From here on standard output is the log; who started this reads one line from it only. */
    private void redirectOutput(StateFolder folder) throws IOException {
        Files.createDirectories(folder.path().resolve("logs"));
        PrintStream stream = new PrintStream(log, true, StandardCharsets.UTF_8);
        System.setOut(stream);
        System.setErr(stream);
    }

    private void backendLost() {
        stop(EXIT_FAILURE);
    }

    private void awaitEndOfInput() {
        try {
            // What comes before the end means nothing.
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The same as its end.
        }
        stop(0);
    }

    private void stop(int code) {
        exitCode.compareAndSet(0, code);
        stop.countDown();
    }

    private void awaitStop() throws InterruptedException {
        stop.await();
        System.exit(exitCode.get());
    }

    /** The shutdown hook: domains, then the service, then the folder. */
    private synchronized void close() {
        closed = true;
        Machine running = machine;
        if (running != null) {
            running.close();
        }
        MachineServer serving = server;
        if (serving != null) {
            serving.close();
        }
        MachineEnvelope limits = envelope;
        if (limits != null) {
            limits.close();
        }
        StateFolder claimed = folder;
        if (claimed == null) {
            return;
        }
        try {
            claimed.delete();
        } catch (IOException e) {
            Logger logger = LoggerFactory.getLogger(VmmMain.class);
            logger.error("cannot remove {}: {}", claimed.path(), e.toString());
        }
    }
}
