package io.hyperverbs.vmm.cores;

import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadSlice;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long threads of domains run when others wait for their core. The kernel's own turns are of
 * milliseconds: a domain that always computes then delays each step of a neighbour's control verb,
 * which goes through six threads or more, by one of them (see docs/adr/0017).
 */
public final class CpuTurns {
    private static final Duration SHORT = Duration.ofNanos(200_000);

    private static final Logger LOG = LoggerFactory.getLogger(CpuTurns.class);

    private CpuTurns() {}

    /** Of the calling thread, and of all threads and processes that it starts from now on. */
    public static void shorten() {
        if (!ThreadSlice.known()) {
            return;
        }
        try {
            ThreadSlice.set(SHORT);
        } catch (PosixException e) {
            LOG.warn("domains keep the kernel's long turns: {}", e.getMessage());
        }
    }
}
