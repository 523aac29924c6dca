package io.hyperverbs.vmm.domain;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The process that the VMM started for a domain: its JVM, or the sandbox around it, whose end is
 * the end of everything inside. Signals go by {@link ProcessHandle}, which knows a process from one
 * that got its number later.
 */
final class DomainProcess {
    private final Process process;

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

    /** Ends it and all inside at once. */
    void kill() {
        process.destroyForcibly();
    }

    boolean awaitExit(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }
}
