package io.hyperverbs.lab.run.floor;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes of floors: an engine with the JVM options of a device domain, a requester and a peer with those of
 * guests, which share a memory file, of which they are told by its name below this process's descriptors, and a socket in
 * a folder that goes with this process. One thread.
 */
public final class FloorProcesses implements Floors, AutoCloseable {
    private static final long END_SECONDS = 5;

    private final Fd file;
    private final WorkFolder folder;
    private final List<Process> processes = new ArrayList<>();

    private FloorProcesses(Fd file, WorkFolder folder) {
        this.file = file;
        this.folder = folder;
    }

    /**
     * Starts them; returns when all are ready.
     *
     * @throws HvException FAILURE if there is no memory, or one does not start
     */
    public static FloorProcesses start(Installation installation) throws HvException {
        FloorProcesses started = prepare();
        try {
            List<String> device = installation.backendOptions(false);
            List<String> guest = installation.guestOptions(false);
            started.add(installation, FloorParty.Role.ENGINE, device);
            started.add(installation, FloorParty.Role.PEER, guest);
            started.add(installation, FloorParty.Role.REQUESTER, guest);
            for (Process process : started.processes) {
                String _ = line(process);
            }
            return started;
        } catch (HvException | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    private static FloorProcesses prepare() throws HvException {
        Fd file;
        try {
            file = Memfd.create("hv-floor", FloorMemory.SIZE_BYTES, false);
        } catch (PosixException e) {
            throw new HvException(ExitCode.FAILURE, "no memory for floors: " + e.getMessage(), "");
        }
        try {
            return new FloorProcesses(file, WorkFolder.make());
        } catch (IOException e) {
            file.close();
            throw new HvException(ExitCode.FAILURE, "no folder for floors: " + e.getMessage(), "");
        }
    }

    private void add(Installation installation, FloorParty.Role role, List<String> options) throws HvException {
        String path = "/proc/" + ProcessHandle.current().pid() + "/fd/" + file.number();
        List<String> command = new ArrayList<>(List.of(installation.java().toString()));
        command.addAll(options);
        command.addAll(
                List.of("-cp", Installation.classPath(installation.hostClassPath()), FloorParty.class.getName()));
        command.addAll(List.of(role.word(), path, folder.path().resolve("call").toString()));
        try {
            processes.add(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot start a process: " + e.getMessage(), "");
        }
    }

    private static String line(Process process) throws HvException {
        try {
            BufferedReader said = process.inputReader();
            String line = said.readLine();
            if (line != null) {
                return line;
            }
        } catch (IOException e) {
            // As if it had said nothing.
        }
        throw new HvException(ExitCode.FAILURE, "a process of the floors has ended", "");
    }

    @Override
    public long[] measure(FloorCell cell, int iterations, int warmUp, int millis) throws HvException {
        Process requester = processes.getLast();
        try {
            requester
                    .outputWriter()
                    .write(String.join(
                                    " ",
                                    cell.floor().name(),
                                    Integer.toString(cell.bytes()),
                                    Integer.toString(cell.batch()),
                                    Integer.toString(cell.outstanding()),
                                    Integer.toString(iterations),
                                    Integer.toString(warmUp),
                                    Integer.toString(millis))
                            + "\n");
            requester.outputWriter().flush();
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "a process of the floors has ended", "");
        }
        return Arrays.stream(line(requester).split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Ends them. */
    @Override
    public void close() {
        for (Process process : processes) {
            try {
                process.outputWriter().close();
            } catch (IOException e) {
                // It has ended.
            }
        }
        boolean interrupted = false;
        for (Process process : processes) {
            try {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    Process _ = process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                interrupted = true;
                Process _ = process.destroyForcibly();
            }
        }
        file.close();
        folder.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
