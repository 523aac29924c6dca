package io.hyperverbs.vmm.domain;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The process that the VMM started for a domain: its JVM, or the sandbox around it, whose end is
 * the end of everything inside. Signals go by {@link ProcessHandle}, which knows a process from one
 * that got its number later.
 */
final class DomainProcess {
    private static final long SANDBOX_END_MILLIS = 500;

    private final Process process;
    private volatile List<ProcessHandle> inside = List.of();

    DomainProcess(Process process) {
        this.process = process;
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> onExit() {
        return process.onExit();
    }

    /** 128 + signal if killed by one. */
    int exitCode() {
        return process.exitValue();
    }

    /**
     * Asks the JVM to end.
     *
     * @param jvm its process number, as it was when it connected; believed only if it is still one
     *     of this process's descendants
     */
    void terminate(long jvm) {
        if (jvm == process.pid()) {
            process.destroy();
            return;
        }
        process.descendants().filter(handle -> handle.pid() == jvm).forEach(ProcessHandle::destroy);
    }

    /**
     * Ends it and all inside. What is inside goes first: the sandbox then sees its end, and ends by
     * itself.
     */
    void kill() {
        noteInside();
        List<ProcessHandle> inside = process.descendants().toList();
        if (inside.isEmpty()) {
            process.destroyForcibly();
            return;
        }
        inside.forEach(ProcessHandle::destroyForcibly);
        // A sandbox that was still being made has nothing inside that it would see end.
        CompletableFuture.delayedExecutor(SANDBOX_END_MILLIS, TimeUnit.MILLISECONDS)
                .execute(process::destroyForcibly);
    }

    /**
     * Remembers what runs inside, to be called while it lives. The first process of a sandbox may
     * end a moment after the one around it; all others in it end before the first.
     */
    void noteInside() {
        List<ProcessHandle> seen = process.children().toList();
        if (!seen.isEmpty()) {
            inside = seen;
        }
    }

    /** Waits until what {@link #noteInside} saw has ended too; false after {@code millis}. */
    boolean awaitInside(long millis) throws InterruptedException {
        CompletableFuture<?>[] ends =
                inside.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            var _ = CompletableFuture.allOf(ends).get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }

    boolean awaitExit(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }
}
