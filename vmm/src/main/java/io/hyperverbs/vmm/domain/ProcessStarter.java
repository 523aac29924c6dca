package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.cores.CpuTurns;
import io.hyperverbs.vmm.posix.InputPipe;
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
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("process-starter").factory());

    ProcessStarter() {
        // Inherited by all that it starts.
        thread.execute(CpuTurns::shorten);
    }

    /**
     * Starts a process with no environment and the token as the first line of its standard input.
     */
    DomainProcess start(List<String> command, byte[] token, Path folder, ProcessStreams streams) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        InputPipe input = streams.input();
        if (input != null) {
            builder.redirectInput(input.readEnd().toFile());
        }
        builder.environment().clear();
        Process process;
        Console console;
        try (OutputPipes output = OutputPipes.create(streams.apart())) {
            // Before the process: without threads for its output there is to be none.
            console = output.console(streams);
            output.redirect(builder);
            process = thread.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        byte[] line = (HexFormat.of().formatHex(token) + "\n").getBytes(StandardCharsets.UTF_8);
        try (OutputStream closing = process.getOutputStream()) {
            if (input == null) {
                closing.write(line);
            } else {
                input.handOver();
                // It is the first, so there is room.
                boolean _ = input.write(line);
            }
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
