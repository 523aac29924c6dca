package io.hyperverbs.frontend.executable;

import io.hyperverbs.frontend.program.ExecutableStarter;
import io.hyperverbs.vmm.posix.InputPipe;
import io.hyperverbs.vmm.posix.Pipe;
import io.hyperverbs.vmm.posix.PosixSpawn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A shell within the guest that starts executables. It is there before the driver gives up the system calls that start
 * processes, and lives as long as the guest. It reads commands from a pipe and reports beginnings and ends on another,
 * each a line.
 */
public final class ExecutableShell implements ExecutableStarter {
    /** It gives each command a process group of its own, also where there is no terminal. */
    private static final Path SHELL = Path.of("/bin/bash");

    private static final String SCRIPT = "cd /tmp; exec 4>&2; while IFS= read -r job; do eval \"$job\"; done";

    /** The largest part of a command that is written at once. */
    private static final int PART_BYTES = InputPipe.MAX_BYTES;

    private static final long GRACE_MILLIS = 2000;
    private static final int KILLED = 137;

    private final InputPipe commands;
    /** What is written before a command: its environment and its starter. */
    private final String before;

    private final AtomicInteger lastNumber = new AtomicInteger();
    private final Map<Integer, Job> jobs = new ConcurrentHashMap<>();

    private ExecutableShell(InputPipe commands, String before) {
        this.commands = commands;
        this.before = before;
    }

    /**
     * Starts the shell.
     *
     * @param environment of executables, besides the shell's
     * @param starter words before each command: a program that runs it, or none
     */
    public static ExecutableShell start(Map<String, String> environment, List<String> starter) throws IOException {
        if (!Files.isExecutable(SHELL)) {
            throw new IOException("executables need " + SHELL + ", which this computer does not have");
        }
        InputPipe commands = InputPipe.create();
        Pipe reports = Pipe.create();
        try {
            int _ = PosixSpawn.start(
                    SHELL,
                    List.of("executables", "--norc", "-c", SCRIPT),
                    List.of("PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=/tmp", "LANG=C.UTF-8"),
                    commands.input(),
                    reports.writeEnd());
        } finally {
            commands.handOver();
            reports.writeEnd().close();
        }
        String assignments = environment.entrySet().stream()
                .map(one -> one.getKey() + "=" + quoted(one.getValue()) + " ")
                .collect(Collectors.joining());
        String before =
                starter.stream().map(word -> quoted(word) + " ").collect(Collectors.joining("", assignments, ""));
        ExecutableShell shell = new ExecutableShell(commands, before);
        Thread.ofPlatform()
                .daemon()
                .name("executable-ends")
                .start(() -> shell.readReports(
                        new BufferedReader(new InputStreamReader(reports.input(), StandardCharsets.UTF_8))));
        return shell;
    }

    @Override
    public Running start(List<String> command) throws IOException {
        int number = lastNumber.incrementAndGet();
        Job job = new Job();
        jobs.put(number, job);
        String words = command.stream().map(ExecutableShell::quoted).collect(Collectors.joining(" "));
        // The part that waits for the command and reports is not in its group: a signal to that reaches the command
        // alone, and also before it runs. What a shell says of commands that a signal ended is for nobody.
        tell("{ set -m; " + before + words + " </dev/null 2>&4 3>&- 4>&- & echo \"began " + number
                + " $!\" >&3; wait $!; echo \"ended " + number + " $?\" >&3; } 2>/dev/null & disown\n");
        return job;
    }

    /** As one word of a shell's command. */
    static String quoted(String word) {
        return "$'" + word.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'";
    }

    private synchronized void tell(String command) throws IOException {
        byte[] bytes = command.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += PART_BYTES) {
            if (!commands.write(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PART_BYTES)))) {
                throw new IOException("a command of " + bytes.length + " bytes, of which the shell reads none");
            }
        }
    }

    private void readReports(BufferedReader reports) {
        try (reports) {
            for (String line = reports.readLine(); line != null; line = reports.readLine()) {
                String[] words = line.split(" ", -1);
                Job job = jobs.get(Integer.parseInt(words[1]));
                if (job == null) {
                    continue;
                }
                if (words[0].equals("began")) {
                    job.group.complete(Long.parseLong(words[2]));
                } else {
                    jobs.remove(Integer.parseInt(words[1]));
                    job.end.complete(Integer.parseInt(words[2]));
                }
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("the shell for executables reports no more: " + e.getMessage());
        } finally {
            jobs.values().forEach(job -> job.end.complete(KILLED));
        }
    }

    /** One command, in a process group of its own. */
    private final class Job implements Running {
        private final CompletableFuture<Long> group = new CompletableFuture<>();
        private final CompletableFuture<Integer> end = new CompletableFuture<>();

        @Override
        public int await() throws InterruptedException {
            try {
                int code = end.get();
                // What it left in the background goes with it.
                signal("KILL");
                return code;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void cancel() {
            try {
                signal("TERM");
                int _ = end.get(GRACE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                signal("KILL");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void signal(String name) {
            try {
                tell("kill -" + name + " -- -" + group.get(GRACE_MILLIS, TimeUnit.MILLISECONDS) + " 2>/dev/null\n");
            } catch (IOException | ExecutionException | TimeoutException e) {
                System.err.println("an executable goes on: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
