package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.VmmIdentity;
import io.hyperverbs.launcher.node.wire.Bundle;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.topology.HostSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The start of one host: the process here that brings the node there, until all hosts are up. */
final class HostStart {
    private static final int UP = 1;
    private static final Duration END = Duration.ofSeconds(30);

    private final HostSpec host;
    private final Process process;
    private final Path errors;
    private volatile int port;

    /**
     * @param command see {@link Launcher#command}
     * @param errors file for what it prints on standard error
     */
    HostStart(HostSpec host, List<String> command, Path errors) throws HvException {
        this.host = host;
        this.errors = errors;
        try {
            process = new ProcessBuilder(command)
                    .directory(Path.of("/").toFile())
                    .redirectError(errors.toFile())
                    .start();
        } catch (IOException e) {
            throw new HvException(
                    ExitCode.FAILURE, "host " + host.name() + ": cannot run " + command.getFirst() + ": " + e, "");
        }
    }

    /**
     * Tells the node what to start, and waits until it has.
     *
     * @throws HvException with the node's reason, or the last line that was printed
     */
    void await(Bundle bundle, Duration timeout) throws HvException, InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        // Of its own: threads of a common pool are few, and hosts would start one after the other.
        Thread.ofPlatform().daemon().name("start-" + host.name()).start(() -> answer.complete(answer(bundle)));
        try {
            port = port(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw new HvException(
                    ExitCode.TIMEOUT,
                    "host " + host.name() + " was not up within " + timeout.toSeconds() + " s" + said(),
                    "--timeout gives it longer");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The line that the node answers with; empty if there is none. */
    private String answer(Bundle bundle) {
        try {
            OutputStream input = process.getOutputStream();
            bundle.writeDelimitedTo(input);
            input.flush();
        } catch (IOException e) {
            // It has ended; what it said tells why.
        }
        try {
            BufferedReader reader = process.inputReader();
            String line = reader.readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            return "";
        }
    }

    private int port(String line) throws HvException, InterruptedException {
        JsonNode answer;
        try {
            answer = line.isEmpty() ? Json.object() : Json.parse(line);
        } catch (JacksonException e) {
            throw new HvException(ExitCode.FAILURE, "host " + host.name() + " says: " + line, "");
        }
        if (answer.path("ready").isObject()) {
            return answer.path("ready").path("port").asInt();
        }
        JsonNode error = answer.path("error");
        if (error.isObject()) {
            throw new HvException(
                    exit(error.path("exit").asInt()),
                    List.of(Problem.of(
                            "host " + host.name() + ": " + error.path("message").asString(),
                            error.path("hint").asString(""))));
        }
        boolean _ = process.waitFor(1, TimeUnit.SECONDS);
        throw new HvException(ExitCode.FAILURE, "host " + host.name() + " did not start" + said(), "");
    }

    private static ExitCode exit(int number) {
        for (ExitCode code : ExitCode.values()) {
            if (code.number() == number) {
                return code;
            }
        }
        return ExitCode.FAILURE;
    }

    /** The last line on standard error, if there is one. */
    private String said() {
        String last = LogTail.lastLine(errors).strip();
        return last.isEmpty() ? "" : ": " + last;
    }

    /** Where it is asked from here on. */
    HostPlace place(Topology topology) {
        long started = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return HostPlace.of(topology, host, port, Optional.of(new VmmIdentity(process.pid(), started)));
    }

    /** All hosts are up: from here on the node lives until it is asked to end. */
    void release() throws HvException {
        try (OutputStream input = process.getOutputStream()) {
            input.write(UP);
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "host " + host.name() + " has ended again" + said(), "");
        }
    }

    /** Takes back the start: a node whose standard input ends before that ends, and so does the process here. */
    void giveUp() throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended.
        }
        if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroy();
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                Process _ = process.destroyForcibly();
            }
        }
    }
}
