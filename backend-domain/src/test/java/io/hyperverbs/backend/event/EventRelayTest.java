package io.hyperverbs.backend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.hca.HcaEvent;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks for threads by name")
class EventRelayTest {
    private static final int UAR = 3;

    private final Queue<Integer> raised = new ConcurrentLinkedQueue<>();
    private final AtomicInteger completions = new AtomicInteger();
    private final AtomicInteger asyncs = new AtomicInteger();
    private final EventRoutes routes = new EventRoutes();

    private final EventTarget target = new EventTarget() {
        @Override
        public void completion(int number) {
            if (number < 0) {
                throw new IllegalStateException("a target's own trouble");
            }
            completions.incrementAndGet();
        }

        @Override
        public void async(int typeCode, int number) {
            asyncs.incrementAndGet();
        }
    };

    @Test
    @Timeout(60)
    void losesNoWakeUp() {
        routes.add(UAR, target);
        try (EventRelay relay = new EventRelay(routes)) {
            relay.start(this::poll);

            for (int i = 1; i <= 20_000; i++) {
                raised.add(i);
                relay.raise();
                int expected = i;
                // Waiting for each gives the relay time to fall asleep before the next.
                await().pollInSameThread()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofNanos(1))
                        .until(() -> completions.get() == expected);
            }
        }
    }

    @Test
    void goesOnAfterATargetFailsAndDropsEventsOfClosedUars() {
        EventRelay relay = new EventRelay(routes);
        relay.start(this::poll);
        raised.add(7);
        relay.raise();
        await().until(raised::isEmpty);
        routes.add(UAR, target);

        raised.add(-1);
        raised.add(1);
        relay.raise();

        await().until(() -> completions.get() == 1);
        relay.close();
    }

    @Test
    void usesNoProcessorWhileThereAreNoEvents() {
        EventRelay relay = new EventRelay(routes);
        relay.start(this::poll);
        Thread thread = find("event-relay");
        await().until(() -> thread.getState() == Thread.State.WAITING);
        long before = cpuNanos(thread);

        await().pollDelay(Duration.ofMillis(300)).until(() -> true);

        assertThat(cpuNanos(thread) - before).isLessThan(3_000_000);
        relay.close();
    }

    private boolean poll(HcaEvent event) {
        Integer number = raised.poll();
        if (number == null) {
            return false;
        }
        event.set(HcaEvent.Kind.COMPLETION, UAR, number, 0);
        return true;
    }

    private static Thread find(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name) && thread.isAlive())
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static long cpuNanos(Thread thread) {
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
    }
}
