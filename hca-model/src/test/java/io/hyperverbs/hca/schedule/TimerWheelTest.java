package io.hyperverbs.hca.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final long TICK = 1 << 13;

    @Test
    void firesNeverEarlyAndAtMostATickLate() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        TimerWheel wheel = new TimerWheel(100);
        Map<Integer, Long> deadlines = new HashMap<>();
        long now = random.nextLong();
        for (int step = 0; step < 200_000; step++) {
            int index = random.nextInt(100);
            if (random.nextInt(4) == 0) {
                // From within a tick to many revolutions.
                long delay = random.nextLong(1L << random.nextInt(10, 36));
                wheel.start(index, now, delay);
                deadlines.put(index, now + delay);
            } else if (random.nextInt(10) == 0) {
                wheel.cancel(index);
                deadlines.remove(index);
            }
            now += random.nextLong(1L << random.nextInt(5, 30));
            int count = wheel.advance(now);
            for (int i = 0; i < count; i++) {
                Long deadline = deadlines.remove(wheel.due(i));
                assertThat(deadline).as("seed " + seed).isNotNull();
                assertThat(deadline - now).as("early, seed " + seed).isLessThanOrEqualTo(0);
            }
            for (long deadline : deadlines.values()) {
                assertThat(now - deadline).as("late, seed " + seed).isLessThan(TICK);
            }
        }
    }

    @Test
    void saysHowLongToSleep() {
        TimerWheel wheel = new TimerWheel(4);
        assertThat(wheel.nanosToNext(0)).isEqualTo(Long.MAX_VALUE);
        wheel.start(0, 1000, 5_000_000);
        wheel.start(1, 1000, 700_000_000_000L);

        long sleep = wheel.nanosToNext(1000);

        assertThat(wheel.advance(1000 + 5_000_000 - 1)).isZero();
        assertThat(wheel.advance(1000 + sleep)).isEqualTo(1);
        assertThat(wheel.due(0)).isZero();
    }

    @Test
    void saysWhetherATimerIsDueByThen() {
        TimerWheel wheel = new TimerWheel(4);
        assertThat(wheel.isDueBy(0, Long.MAX_VALUE)).isFalse();
        wheel.start(0, 1000, 5_000_000);

        assertThat(wheel.isDueBy(0, 1000 + 5_000_000 - 1)).isFalse();
        assertThat(wheel.isDueBy(0, 1000 + 5_000_000)).isTrue();
        assertThat(wheel.isDueBy(0, 1000 + 5_000_000 + 1)).isTrue();
        assertThat(wheel.isDueBy(1, 1000 + 5_000_000)).isFalse();
        wheel.cancel(0);
        assertThat(wheel.isDueBy(0, 1000 + 5_000_000)).isFalse();
    }

    @Test
    void countsADelayFromTheClockWhenTheTurnBeganEarlier() {
        TimerWheel wheel = new TimerWheel(4);
        wheel.useClock(() -> 5_000_000L);

        wheel.start(1, 1_000_000, 1_000_000);

        assertThat(wheel.advance(5_900_000)).isZero();
        assertThat(wheel.advance(6_100_000)).isEqualTo(1);
    }
}
