package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.cores.CpuTurns;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starts processes, all from one thread that lives as long as the VMM: a domain is to die with its
 * parent, and to Linux the parent is the thread. Callable from any thread.
 */
final class ProcessStarter implements AutoCloseable {
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("process-starter").factory());

    ProcessStarter() {
        // Inherited by all that it starts.
        thread.execute(CpuTurns::shorten);
    }

    /**
     * Starts a process with no environment, the token as the one line of its standard input, and
     * its output appended to {@code log}: by itself if it is trusted, else by a {@link Console}.
     */
    DomainProcess start(List<String> command, byte[] token, Path folder, Path log, boolean trusted)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        if (trusted) {
            builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        }
        builder.environment().clear();
        Process process;
        try {
            process = thread.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        Console console = trusted ? null : Console.start(process.getInputStream(), log);
        try (OutputStream input = process.getOutputStream()) {
            input.write((HexFormat.of().formatHex(token) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It has ended already, which is seen by its exit.
        }
        return new DomainProcess(process, console);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
