package io.hyperverbs.launcher.machine;

import io.hyperverbs.vmm.domain.ProcessEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Which process a VMM is: pids are used again, so its start time belongs to it.
 *
 * @param startedEpochMillis as the operating system has it
 */
public record VmmIdentity(long pid, long startedEpochMillis) {
    /** The kernel counts start times in clock ticks. */
    private static final long TOLERANCE_MILLIS = 2_000;

    /** The identity in a {@code vmm.pid} file; empty if there is none, or none yet. */
    public static Optional<VmmIdentity> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return parse(Files.readString(file));
    }

    /** Reads {@code <pid> <milliseconds>}. */
    static Optional<VmmIdentity> parse(String line) {
        String[] words = line.strip().split("\\s+");
        try {
            return words.length == 2
                    ? Optional.of(new VmmIdentity(Long.parseLong(words[0]), Long.parseLong(words[1])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The process, if it lives. */
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid)
                .filter(process -> !ProcessEnd.hasEnded(process))
                .filter(process -> isStart(process.info().startInstant()));
    }

    private boolean isStart(Optional<Instant> start) {
        return start.map(Instant::toEpochMilli)
                .map(millis -> Math.abs(millis - startedEpochMillis) <= TOLERANCE_MILLIS)
                .orElse(false);
    }
}
