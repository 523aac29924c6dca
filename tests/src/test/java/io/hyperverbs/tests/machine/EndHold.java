package io.hyperverbs.tests.machine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lives in the device domain of a {@link SlowEndDistribution}. */
public final class EndHold {
    private EndHold() {}

    /** Returns at once unless {@code name} is {@code held}; then when the file is gone. */
    public static void hold(String name, String held, String file) {
        while (name.equals(held) && Files.exists(Path.of(file))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
