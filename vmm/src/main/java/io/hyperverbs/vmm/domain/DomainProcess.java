package io.hyperverbs.vmm.domain;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process that the VMM started for a domain: its JVM, or the sandbox around it, whose end is
 * the end of everything inside. Signals go by {@link ProcessHandle}, which knows a process from one
 * that got its number later.
 */
final class DomainProcess {
    private static final long SANDBOX_END_MILLIS = 500;

    private final Process process;
    private final @Nullable Console console;
    private volatile List<ProcessHandle> inside = List.of();

    DomainProcess(Process process, @Nullable Console console) {
        this.process = process;
        this.console = console;
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
     * @param jvm its process number, as it was when it connected; accepted only if it is still one
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
     * Ends it and all inside. The innermost goes first: the sandbox sees its end and ends by
     * itself, without complaint on the console. In a sandbox that is still being made its first
     * process may be the innermost, and its maker would complain of that one's signal, so it goes
     * before.
     */
    void kill() {
        noteInside();
        List<ProcessHandle> innermost = process.descendants()
                .filter(one -> one.children().findAny().isEmpty())
                .toList();
        if (innermost.isEmpty() || process.children().anyMatch(innermost::contains)) {
            process.destroyForcibly();
        }
        innermost.forEach(ProcessHandle::destroyForcibly);
        // A sandbox that was still being made may go on, and one may have started meanwhile.
        CompletableFuture.delayedExecutor(SANDBOX_END_MILLIS, TimeUnit.MILLISECONDS)
                .execute(() -> {
                    List<ProcessHandle> left = process.descendants().toList();
                    process.destroyForcibly();
                    left.forEach(ProcessHandle::destroyForcibly);
                });
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
        return ProcessEnd.await(inside, Duration.ofMillis(millis));
    }

    /** Waits until what it printed is in its log; false after {@code millis}. */
    boolean awaitConsole(long millis) throws InterruptedException {
        return console == null || console.awaitEnd(millis);
    }

    /** Waits until what it printed before this call is in its log; false after {@code millis}. */
    boolean awaitWritten(long millis) throws InterruptedException {
        return console == null || console.awaitWritten(millis);
    }

    boolean awaitExit(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }
}
