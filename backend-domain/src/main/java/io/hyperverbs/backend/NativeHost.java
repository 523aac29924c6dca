package io.hyperverbs.backend;

import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.io.ControlPath;

/**
 * Runs native domains: programs inside the device domain, on the same driver. Called on the
 * backend's notice thread; must not wait for the program.
 */
public interface NativeHost {
    /**
     * The domain may run; its privileged verbs go through {@code path}, and {@code wakeEngine} is
     * what its doorbell rings while the HCA sleeps.
     */
    void start(DomainNotice.Added domain, ControlPath path, Runnable wakeEngine);

    /** The domain is to end now; its session is torn down after this returns. */
    void stop(int domain);
}
