package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.DomainSpec;
import io.hyperverbs.vmm.domain.MachineException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts domains side by side and waits for them, up to one deadline for all. Closing gives up what
 * has not come up.
 */
final class DomainStarts implements AutoCloseable {
    private final RunningMachine machine;
    private final Duration timeout;
    private final long endNanos;
    private final ExecutorService pool;
    private final Map<String, Future<?>> starts = new LinkedHashMap<>();

    /** What to start is made on the starting thread: it may have files to copy. */
    interface Spec {
        DomainSpec make() throws HvException;
    }

    /**
     * @param together so many at once; more only make each slower
     */
    DomainStarts(RunningMachine machine, int together, Duration timeout) {
        this.machine = machine;
        this.timeout = timeout;
        this.endNanos = System.nanoTime() + timeout.toNanos();
        this.pool = Executors.newFixedThreadPool(together);
    }

    void start(String name, Spec spec) {
        starts.put(name, pool.submit(() -> machine.client().startDomain(spec.make())));
    }

    /**
     * Waits for a domain.
     *
     * @throws HvException TIMEOUT; or why it did not come up, with the last line of its console, as
     *     the log goes with the machine
     */
    void await(String name) throws HvException, InterruptedException {
        Future<?> start = starts.get(name);
        if (start == null) {
            throw new IllegalArgumentException("domain " + name + " was not started");
        }
        try {
            start.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HvException(
                    ExitCode.TIMEOUT,
                    "domain " + name + " was not ready within " + timeout.toMillis() + " ms",
                    "see --timeout");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MachineException refused) {
                throw failure(machine, name, refused);
            }
            if (e.getCause() instanceof HvException already) {
                throw already;
            }
            throw new IllegalStateException("start of " + name, e.getCause());
        }
    }

    static HvException failure(RunningMachine machine, String name, MachineException e) {
        return failure(machine.folder().log(name), name, e);
    }

    /** What was killed because it took too long says last what the kill did; the reason is the VMM's. */
    static HvException failure(Path console, String name, MachineException e) {
        String last = e.status() == VerbsStatus.ETIMEDOUT ? "" : LogTail.lastLine(console);
        return Failures.of(
                new MachineException(e.status(), "domain " + name + ": " + e.getMessage()),
                last.isEmpty() ? "" : "its console ends with: " + last);
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
