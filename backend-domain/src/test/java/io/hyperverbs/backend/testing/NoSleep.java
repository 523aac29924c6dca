package io.hyperverbs.backend.testing;

import io.hyperverbs.hca.DoorbellSleep;

/** Of an HCA whose engine no thread of its own runs. */
public final class NoSleep implements DoorbellSleep {
    @Override
    public void sleep(long maxNanos) {}

    @Override
    public void wake() {}
}
