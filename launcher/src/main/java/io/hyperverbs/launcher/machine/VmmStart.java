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

/** Starts a VMM process and waits for its one line: {@code ready ...} or {@code error ...}. */
final class VmmStart {
    private static final long READY_SECONDS = 60;

    private VmmStart() {}

    static void run(Installation installation, MachineFolder folder, String description, MachineLauncher.Mode mode)
            throws HvException, IOException, InterruptedException {
        try (WorkFolder work = WorkFolder.make()) {
            Path text = Files.writeString(work.path().resolve("description"), description);
            Path errors = work.path().resolve("stderr");
            ProcessBuilder builder = new ProcessBuilder(command(installation, folder, text, mode))
                    .directory(Path.of("/").toFile())
                    .redirectError(errors.toFile());
            builder.environment().clear();
            Process vmm = builder.start();
            String line = firstLine(vmm);
            if (!line.startsWith("ready")) {
                vmm.destroyForcibly();
                throw failure(line, Files.readString(errors));
            }
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
    private static String firstLine(Process vmm) throws InterruptedException {
        CompletableFuture<@Nullable String> line = CompletableFuture.supplyAsync(() -> {
            try {
                BufferedReader reader = vmm.inputReader();
                return reader.readLine();
            } catch (IOException e) {
                return null;
            }
        });
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
