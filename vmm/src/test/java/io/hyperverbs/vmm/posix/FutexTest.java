package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FutexTest {
    private static final long OFFSET = 8;
    private static final long LONG_NANOS = Duration.ofMinutes(1).toNanos();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment memory = Arena.ofAuto().allocate(64, 4);
    private final Futex futex = new Futex(memory, OFFSET);

    /** Until another value is there. */
    private Thread sleeper() {
        return Thread.ofPlatform().daemon().start(() -> {
            while ((int) INT.getVolatile(memory, OFFSET) == 0) {
                futex.await(0, LONG_NANOS);
            }
        });
    }

    private void expectEnd(Thread sleeper) throws InterruptedException {
        assertThat(sleeper.join(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void wakesWhoSleepsOnTheWord() throws Exception {
        Thread sleeper = sleeper();

        INT.setVolatile(memory, OFFSET, 1);
        futex.wake();

        expectEnd(sleeper);
    }

    @Test
    void saysWhetherSomebodySlept() throws Exception {
        assertThat(futex.wakeSleeper()).isFalse();
        Thread sleeper = sleeper();

        org.awaitility.Awaitility.await().until(futex::wakeSleeper);

        INT.setVolatile(memory, OFFSET, 1);
        futex.wake();
        expectEnd(sleeper);
    }

    @Test
    void wakesByTheAddress() throws Exception {
        Thread sleeper = sleeper();

        INT.setVolatile(memory, OFFSET, 1);
        Futex.wake(memory.address() + OFFSET);

        expectEnd(sleeper);
    }

    @Test
    void doesNotSleepIfTheValueIsAnother() {
        INT.setVolatile(memory, OFFSET, 7);
        long begin = System.nanoTime();

        futex.await(0, LONG_NANOS);

        assertThat(System.nanoTime() - begin).isLessThan(LONG_NANOS / 2);
    }

    @Test
    void sleepsNoLongerThanAsked() {
        long begin = System.nanoTime();

        futex.await(0, 1_000_000);

        assertThat(System.nanoTime() - begin).isLessThan(LONG_NANOS / 2);
    }

    @Test
    void wakingNobodyDoesNothing() {
        futex.wake();

        assertThat(memory.get(ValueLayout.JAVA_INT, OFFSET)).isZero();
    }
}
