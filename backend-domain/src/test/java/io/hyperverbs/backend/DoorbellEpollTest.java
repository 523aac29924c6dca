package io.hyperverbs.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.posix.EventFd;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DoorbellEpollTest {
    private static final long LONG_NANOS = 30_000_000_000L;

    @Test
    void endsASleepForAWakeUpThatCameBefore() throws Exception {
        try (DoorbellEpoll doorbells = DoorbellEpoll.create()) {
            doorbells.wake();

            assertThat(sleepNanos(doorbells)).isLessThan(LONG_NANOS / 2);
        }
    }

    @Test
    void endsASleepForADomainsDoorbell() throws Exception {
        try (DoorbellEpoll doorbells = DoorbellEpoll.create();
                EventFd guest = EventFd.create()) {
            doorbells.watch(guest.fd().number());
            for (int i = 0; i < 3; i++) {
                guest.signal();

                assertThat(sleepNanos(doorbells)).isLessThan(LONG_NANOS / 2);
            }
        }
    }

    @Test
    void sleepsUntilTheTimeWhenNobodyRings() throws Exception {
        try (DoorbellEpoll doorbells = DoorbellEpoll.create();
                EventFd guest = EventFd.create()) {
            doorbells.watch(guest.fd().number());
            doorbells.unwatch(guest.fd().number());
            guest.signal();
            long before = System.nanoTime();

            doorbells.sleep(20_000_000);

            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(19_000_000);
        }
    }

    @Test
    void losesNoWakeUp() throws Exception {
        try (DoorbellEpoll doorbells = DoorbellEpoll.create()) {
            AtomicInteger published = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger();
            int rounds = 20_000;
            Thread engine = Thread.ofPlatform().start(() -> {
                while (seen.get() < rounds) {
                    if (published.get() == seen.get()) {
                        doorbells.sleep(Long.MAX_VALUE);
                    }
                    seen.set(published.get());
                }
            });

            for (int i = 1; i <= rounds; i++) {
                published.set(i);
                doorbells.wake();
                while (seen.get() < i) {
                    Thread.yield();
                }
            }

            engine.join();
            assertThat(seen).hasValue(rounds);
        }
    }

    private static long sleepNanos(DoorbellEpoll doorbells) {
        long before = System.nanoTime();
        doorbells.sleep(LONG_NANOS);
        return System.nanoTime() - before;
    }
}
