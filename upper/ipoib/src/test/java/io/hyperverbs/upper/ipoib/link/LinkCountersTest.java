package io.hyperverbs.upper.ipoib.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.ipoib.link.LinkCounters.Drop;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkCountersTest {
    private final LinkCounters counters = new LinkCounters();

    @Test
    void beginAtZero() {
        assertThat(counters)
                .hasToString("unreachable 0, no_group 0, malformed 0, not_sent 0, too_long 0, refused 0, forged 0");
    }

    @Test
    void countEachReasonByItself() {
        for (Drop drop : Drop.values()) {
            for (int i = 0; i <= drop.ordinal(); i++) {
                counters.count(drop);
            }
        }

        assertThat(counters)
                .hasToString("unreachable 1, no_group 2, malformed 3, not_sent 4, too_long 5, refused 6, forged 7");
    }

    @Test
    void threadsCountTogether() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(this::countMany));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(counters.toString()).contains("forged 40000");
    }

    private void countMany() {
        for (int i = 0; i < 10_000; i++) {
            counters.count(Drop.FORGED);
        }
    }
}
