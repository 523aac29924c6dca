package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.VmmMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A VMM process that starts, and says one line: {@code ready ...} or {@code error ...}. One thread, which may do other
 * things between {@link #begin} and {@link #await}. Closing ends a VMM that was not found ready.
 */
final class VmmStart implements AutoCloseable {
    private static final long READY_SECONDS = 60;
    private static final long END_SECONDS = 5;

    private final WorkFolder work;
    private final Process vmm;
    private final CompletableFuture<@Nullable String> line;
    private final Thread hook = new Thread(this::end, "end-vmm");
    private boolean ready;

    private VmmStart(WorkFolder work, Process vmm) {
        this.work = work;
        this.vmm = vmm;
        this.line = CompletableFuture.supplyAsync(() -> firstLine(vmm));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static VmmStart begin(
            Installation installation, MachineFolder folder, String description, MachineLauncher.Mode mode)
            throws HvException, IOException {
        WorkFolder work = WorkFolder.make();
        try {
            Path text = Files.writeString(work.path().resolve("description"), description);
            ProcessBuilder builder = new ProcessBuilder(command(installation, folder, text, mode))
                    .directory(Path.of("/").toFile())
                    .redirectError(errors(work).toFile());
            builder.environment().clear();
            return new VmmStart(work, builder.start());
        } catch (HvException | IOException | RuntimeException | Error e) {
            work.close();
            throw e;
        }
    }

    private static Path errors(WorkFolder work) {
        return work.path().resolve("stderr");
    }

    /** Waits until it is ready. Returns the process, whose standard input ends it unless it is detached. */
    Process await() throws HvException, IOException, InterruptedException {
        String said = readyLine();
        if (!said.startsWith("ready")) {
            throw failure(said, Files.readString(errors(work)));
        }
        ready = true;
        return vmm;
    }

    @Override
    public void close() throws IOException {
        ShutdownHooks.remove(hook);
        if (!ready) {
            end();
        }
        work.close();
    }

    /** It removes its folder itself: the name may be another machine's. */
    private void end() {
        vmm.destroy();
        try {
            if (!vmm.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                vmm.destroyForcibly();
            }
        } catch (InterruptedException e) {
            vmm.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command(
            Installation installation, MachineFolder folder, Path text, MachineLauncher.Mode mode) throws HvException {
        List<String> command = new ArrayList<>();
        command.add(installation.java().toString());
        command.addAll(installation.vmmOptions());
        command.add("-cp");
        command.add(Installation.classPath(installation.hostClassPath()));
        command.add(VmmMain.class.getName());
        command.addAll(List.of("--name", folder.name(), "--state", folder.path().toString()));
        command.addAll(List.of("--description-file", text.toString()));
        if (mode.detached()) {
            command.add("--detached");
        }
        mode.sandbox().ifPresent(tier -> command.addAll(List.of("--sandbox", tier)));
        if (!mode.groups()) {
            command.add("--no-cgroups");
        }
        if (mode.insecure()) {
            command.add("--insecure-no-isolation");
        }
        return command;
    }

    /** The VMM holds its end of the pipe open; only the line is waited for. */
    private static @Nullable String firstLine(Process vmm) {
        try {
            BufferedReader reader = vmm.inputReader();
            return reader.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    private String readyLine() throws InterruptedException {
        try {
            String read = line.get(READY_SECONDS, TimeUnit.SECONDS);
            return read == null ? "" : read;
        } catch (TimeoutException e) {
            return "error 8 the VMM was not ready within " + READY_SECONDS + " s";
        } catch (ExecutionException e) {
            return "";
        }
    }

    private static HvException failure(String line, String errors) {
        String[] words = line.split(" ", 3);
        if (words.length == 3 && words[0].equals("error")) {
            ExitCode exit = switch (words[1]) {
                case "5" -> ExitCode.CONFLICT;
                case "8" -> ExitCode.TIMEOUT;
                default -> ExitCode.FAILURE;
            };
            return new HvException(exit, words[2], hint(words[2]));
        }
        String last = errors.lines().reduce((one, next) -> next).orElse("no message");
        return new HvException(ExitCode.FAILURE, "the VMM did not start: " + last, "");
    }

    private static String hint(String message) {
        return message.contains("no sandbox")
                ? "install bubblewrap, or use --insecure-no-isolation where isolation is no matter"
                : "";
    }
}
