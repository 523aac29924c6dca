package io.hyperverbs.vmm.domain;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that looks at the machine again and again until the VMM ends. What one look throws is logged and ends none. */
final class PeriodicLook {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicLook.class);

    private PeriodicLook() {}

    /** Looks for the first time after {@code periodMillis}. */
    static void start(String thread, long periodMillis, Runnable look) {
        Thread.ofPlatform().daemon().name(thread).start(() -> repeat(thread, periodMillis, look));
    }

    private static void repeat(String thread, long periodMillis, Runnable look) {
        try {
            while (true) {
                Thread.sleep(periodMillis);
                try {
                    look.run();
                } catch (RuntimeException | Error e) {
                    LOG.warn("a look of {} failed", thread, e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
