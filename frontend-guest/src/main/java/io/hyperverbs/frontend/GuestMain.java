package io.hyperverbs.frontend;

import io.hyperverbs.frontend.channel.CallTiming;
import io.hyperverbs.frontend.channel.DeviceChannelClient;
import io.hyperverbs.frontend.executable.ExecutableEnvironment;
import io.hyperverbs.frontend.executable.ExecutableShell;
import io.hyperverbs.frontend.executable.ExecutableVerbs;
import io.hyperverbs.frontend.ip.PacketCarrier;
import io.hyperverbs.frontend.program.LoadedProgram;
import io.hyperverbs.frontend.program.ProgramQueue;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.DomainProvider;
import io.hyperverbs.vmm.domain.Executables;
import io.hyperverbs.vmm.hypercall.HypercallClient;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.posix.PacketListener;
import io.hyperverbs.vmm.sandbox.Confinement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process of a guest: {@code --folder FOLDER [MAIN-CLASS ARGUMENT...]}, the launch token as a
 * line on standard input. Brings up the driver, says ready, and runs the program in the main
 * thread. The domain ends with the program and the threads it started; its exit code is 0, 1 after
 * an exception, or what the program gave {@link System#exit}. In place of a class {@link Executables#PROGRAM} names an
 * executable of the computer, whose exit code it is then. Without a program it waits for those
 * that the toolstack names ({@link ProgramQueue}).
 */
public final class GuestMain {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    /** In a file system of the guest's own. */
    private static final Path EXECUTABLES_SOCKET = Path.of("/tmp/verbs.sock");

    private GuestMain() {}

    /** Started by the VMM alone. */
    public static void main(String[] args) {
        if (args.length < 2 || !args[0].equals("--folder")) {
            System.err.println("usage: --folder FOLDER [MAIN-CLASS ARGUMENT...]; started by the VMM");
            System.exit(USAGE);
        }
        LibraryLogs.silence();
        // Netty's flight recorder events cost a guest a fifth of its start; nobody records them.
        System.setProperty("io.netty.jfr.enabled", "false");
        // A sandbox shows no network HCA to make channel ids from; they need only differ in here.
        System.setProperty("io.netty.machineId", "00:00:00:00:00:00:00:01");
        try {
            int exitCode = run(Path.of(args[1]), List.of(args).subList(2, args.length));
            if (exitCode != 0) {
                System.exit(exitCode);
            }
            // Else the JVM ends with 0 when the threads that the program started have ended.
        } catch (IOException | HypercallException | IllegalArgumentException e) {
            System.err.println("domain not started: " + e.getMessage());
            System.exit(FAILED);
        }
    }

    private static int run(Path folder, List<String> program) throws IOException, HypercallException {
        String token = readToken();
        HypercallClient machine = HypercallClient.connect(folder.resolve("hypercall.sock"), token);
        // First, as it inherits descriptors and the filter of system calls that there are.
        boolean hasExecutables = !machine.executableMemories().isEmpty();
        ExecutableShell shell = hasExecutables ? startShell() : null;
        PacketListener listener = hasExecutables ? ExecutableVerbs.listen(EXECUTABLES_SOCKET) : null;
        DataPathKind path = DriverDomain.pathOf(machine.boot().settings().get("path"));
        DeviceChannelClient channel =
                DeviceChannelClient.connect(folder.resolve("device.sock"), token, CallTiming.standard());
        if (Confinement.hasNoWalls()) {
            channel.connectNow();
        }
        // Before anything of the program's. Whether it worked is for the VMM to ask, by trying.
        boolean _ = Confinement.enter(hasExecutables);
        // What the program left open goes with the session: ending the channel is all there is to
        // do, and memory stays mapped while threads of the program may still use it.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            channel.close();
                            machine.prepareForEnd();
                        },
                        "close-channel"));
        VerbTrace trace = new VerbTrace(machine.verbsLog().map(PipeSink::new).orElse(null), "forwarded");
        DriverDomain domain = new DriverDomain(machine, channel, channel, path, trace);
        DomainProvider.bind(domain);
        if (listener != null) {
            ExecutableVerbs.start(listener, machine, domain.privilegedVerbs(), domain.events());
        }
        // A domain that says ready gets events.
        channel.awaitSubscribed();
        PacketCarrier.start(machine, domain::attach, GuestMain.class.getClassLoader());
        machine.ready();
        if (program.isEmpty()) {
            new ProgramQueue(machine, domain, folder.resolve("app"), domain::lookAtTrace, domain::closeLeftBy, shell)
                    .serve();
        }
        List<String> programArgs = program.subList(1, program.size());
        if (program.getFirst().equals(Executables.PROGRAM)) {
            return runExecutable(shell, programArgs);
        }
        return new LoadedProgram(GuestMain.class.getClassLoader(), program.getFirst(), programArgs).run();
    }

    private static int runExecutable(@Nullable ExecutableShell shell, List<String> command) throws IOException {
        if (shell == null) {
            throw new IOException("the guest has no room for executables");
        }
        try {
            return shell.start(command).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        }
    }

    private static ExecutableShell startShell() throws IOException {
        Confinement.enterAsExecutable();
        return ExecutableShell.start(
                ExecutableEnvironment.variables(EXECUTABLES_SOCKET), ExecutableEnvironment.starter());
    }

    /** One line, byte by byte: what follows on standard input is the program's. */
    private static String readToken() throws IOException {
        StringBuilder token = new StringBuilder();
        for (int b = System.in.read(); b != '\n'; b = System.in.read()) {
            if (b < 0) {
                throw new IOException("no launch token on standard input");
            }
            token.append((char) b);
        }
        return token.toString().strip();
    }
}
