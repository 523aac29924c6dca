package io.hyperverbs.backend.forwarded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.CqeLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.StatusPageLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes out on a stream, in which order, and what waits while there is none. */
class ForwardedContextTest {
    private static final int ENTRIES = 8;
    private static final long PERIOD_NANOS = 50_000_000;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final MemorySegment machine = Arena.ofAuto().allocate(1 << 18, 4096);
    private final Doorbell doorbell = new Doorbell(machine, 0, machine, 4096, () -> {});
    private final ForwardedContext context = new ForwardedContext(1, "guest", doorbell);
    private final List<ForwardedCq> cqs = new ArrayList<>();
    private final int[] produced = new int[8];

    /** A stream that remembers; the pump and the test look at it. */
    private static final class Stream implements DataSink {
        private final List<List<CompletionBatch>> messages = new ArrayList<>();
        private volatile boolean ready = true;
        private volatile boolean broken;
        private volatile boolean failed;
        private volatile boolean unreadable;

        @Override
        public boolean isReady() {
            if (unreadable) {
                throw new IllegalStateException("unreadable");
            }
            return ready;
        }

        @Override
        public synchronized void completions(List<CompletionBatch> batches) {
            if (broken) {
                throw new IllegalStateException("broken");
            }
            messages.add(List.copyOf(batches));
        }

        @Override
        public void failed() {
            failed = true;
        }

        synchronized List<Long> handles() {
            return messages.stream()
                    .flatMap(List::stream)
                    .map(CompletionBatch::cq)
                    .toList();
        }

        boolean hasFailed() {
            return failed;
        }

        synchronized int messages() {
            return messages.size();
        }
    }

    @BeforeEach
    void addQueues() {
        for (int i = 0; i < 5; i++) {
            ForwardedCq cq = new ForwardedCq(machine, ring(i), ENTRIES, doorbell, 3, _ -> {}, () -> 0);
            cq.handle(100 + i);
            cqs.add(cq);
        }
    }

    @AfterEach
    void close() {
        context.close();
    }

    private static long ring(int queue) {
        return 8192L * (queue + 1);
    }

    private void produce(int queue) {
        complete(queue);
        context.wake();
    }

    /** As the HCA does, of which the pump learns nothing. */
    private void complete(int queue) {
        int index = produced[queue]++;
        long cqe = ring(queue) + CqHeaderLayout.SIZE_BYTES + (index & (ENTRIES - 1)) * CqeLayout.SIZE_BYTES;
        CqeLayout.write(machine, cqe, 1, 0, 0, 0, 7, 0, 0, 0);
        CqeLayout.publishRelease(machine, cqe, index + 1);
    }

    private void awaitHandles(Stream stream, Long... handles) {
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(stream.handles()).containsExactlyInAnyOrder(handles));
    }

    @Test
    void nothingGoesOutWithoutAStreamThatIsReady() {
        context.add(cqs.get(0));
        produce(0);
        assertThat(context.doWork()).isZero();

        Stream stream = new Stream();
        stream.ready = false;
        context.bind(stream);
        assertThat(context.doWork()).isZero();
        stream.ready = true;
        context.wake();

        awaitHandles(stream, 100L);
    }

    @Test
    void aMessageTakesThreeQueuesAndTheRestFollows() {
        cqs.forEach(context::add);
        for (int queue = 0; queue < 5; queue++) {
            produce(queue);
        }

        Stream stream = new Stream();
        context.bind(stream);

        awaitHandles(stream, 100L, 101L, 102L, 103L, 104L);
        assertThat(stream.messages()).isEqualTo(2);
    }

    @Test
    void queuesThatWereRemovedSendNothingAndTheOthersDo() {
        context.add(cqs.get(0));
        context.add(cqs.get(1));
        context.remove(cqs.get(0));
        Stream stream = new Stream();
        context.bind(stream);

        produce(0);
        produce(1);

        awaitHandles(stream, 101L);
    }

    @Test
    void aNewStreamGetsWhatTheOldOneWasNotSeenToTake() {
        context.add(cqs.get(0));
        produce(0);
        Stream first = new Stream();
        context.bind(first);
        awaitHandles(first, 100L);
        context.bind(first);

        Stream second = new Stream();
        context.unbind(second);
        context.bind(second);

        awaitHandles(second, 100L);
        assertThat(first.messages()).isEqualTo(1);
        context.unbind(second);
        produce(0);
        assertThat(context.doWork()).isZero();
    }

    @Test
    void aStreamThatFailsIsLeftAndTheNextOneServed() {
        context.add(cqs.get(0));
        Stream broken = new Stream();
        broken.broken = true;
        context.bind(broken);
        produce(0);
        await().atMost(DEADLINE).until(() -> context.doWork() == 0);

        Stream whole = new Stream();
        context.bind(whole);

        awaitHandles(whole, 100L);
        assertThat(broken.messages()).isZero();
    }

    @Test
    void aStreamThatThePumpFailsOnIsToldAndTheNextOneServed() {
        context.add(cqs.get(0));
        Stream first = new Stream();
        context.bind(first);
        context.bind(first);
        first.unreadable = true;
        produce(0);
        await().atMost(DEADLINE).until(first::hasFailed);

        Stream next = new Stream();
        context.bind(next);

        awaitHandles(next, 100L);
    }

    @Test
    void nothingIsBoundAfterItIsClosed() {
        context.add(cqs.get(0));
        context.close();
        Stream stream = new Stream();
        context.bind(stream);
        produce(0);

        assertThat(context.doWork()).isZero();
        assertThat(cqs.get(0).takeNew()).isNull();
    }

    @Test
    void moderatedQueuesWakeThePumpWhenTheirPeriodEnds() {
        List<Long> events = new ArrayList<>();
        ForwardedCq cq = new ForwardedCq(machine, ring(6), ENTRIES, doorbell, 3, handle -> {
            synchronized (events) {
                events.add(handle);
            }
        });
        cq.handle(106);
        cq.moderate(100, 2_000);
        cq.armForStream(false, 0);
        context.add(cq);
        Stream stream = new Stream();
        context.bind(stream);

        produce(6);

        awaitHandles(stream, 106L);
        await().atMost(DEADLINE).untilAsserted(() -> {
            synchronized (events) {
                assertThat(events).containsExactly(106L);
            }
        });
    }

    private boolean pumpIs(Thread.State state) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("pump-1-guest") && thread.getState() == state);
    }

    @Test
    void thePumpSleepsWithoutAnArmWhileItsStreamIsNotReady() {
        context.add(cqs.get(0));
        Stream stream = new Stream();
        stream.ready = false;
        context.bind(stream);
        await().atMost(DEADLINE).until(() -> pumpIs(Thread.State.WAITING));

        assertThat(arms(0)).isZero();

        stream.ready = true;
        context.wake();
        await().atMost(DEADLINE).until(() -> arms(0) > 0);
        produce(0);
        awaitHandles(stream, 100L);
    }

    private int arms(int queue) {
        return CqHeaderLayout.armNumber(CqHeaderLayout.armAcquire(machine, ring(queue), false));
    }

    /** The HCA wrote it before it saw the arm, and raises no event for it. */
    @Test
    void aCompletionThatComesWhileItsQueueIsArmedIsNotSleptOver() {
        AtomicInteger armed = new AtomicInteger();
        Doorbell busy = new Doorbell(machine, 0, machine, 4096, () -> {
            armed.incrementAndGet();
            complete(6);
        });
        ForwardedCq cq = new ForwardedCq(machine, ring(6), ENTRIES, busy, 3, _ -> {}, () -> 0);
        cq.handle(106);
        context.add(cq);
        StatusPageLayout.armVolatile(machine, 4096, 1);

        Stream stream = new Stream();
        context.bind(stream);

        awaitHandles(stream, 106L);
        assertThat(armed).hasValue(1);
    }

    @Test
    void thePumpSleepsNoLongerThanAPeriodRuns() {
        AtomicLong nowNanos = new AtomicLong();
        AtomicInteger events = new AtomicInteger();
        Stream stream = new Stream();
        beginPeriod(nowNanos::get, events, stream);
        await().atMost(DEADLINE).until(() -> pumpIs(Thread.State.TIMED_WAITING));
        assertThat(events).hasValue(0);

        // Nobody wakes it.
        nowNanos.set(PERIOD_NANOS);

        await().atMost(DEADLINE).until(() -> events.get() == 1);
    }

    /** Or a guest that ends its stream at the right moment would have a core of the backend. */
    @Test
    void withoutAStreamThePumpSleepsThoughAPeriodIsOver() {
        AtomicLong nowNanos = new AtomicLong();
        AtomicInteger events = new AtomicInteger();
        Stream stream = new Stream();
        beginPeriod(nowNanos::get, events, stream);
        await().atMost(DEADLINE).until(() -> pumpIs(Thread.State.TIMED_WAITING));
        int arms = arms(6);
        context.unbind(stream);
        nowNanos.set(PERIOD_NANOS);

        context.wake();

        await().atMost(DEADLINE).until(() -> pumpIs(Thread.State.WAITING));
        assertThat(arms(6)).isEqualTo(arms).isPositive();
        assertThat(events).hasValue(0);

        context.bind(stream);

        await().atMost(DEADLINE).until(() -> events.get() == 1);
    }

    /** A moderated queue has given one completion and owes its event. */
    private void beginPeriod(LongSupplier nanoTime, AtomicInteger events, Stream stream) {
        ForwardedCq cq =
                new ForwardedCq(machine, ring(6), ENTRIES, doorbell, 3, _ -> events.incrementAndGet(), nanoTime);
        cq.handle(106);
        cq.moderate(100, (int) (PERIOD_NANOS / 1000));
        cq.armForStream(false, 0);
        context.add(cq);
        context.bind(stream);
        produce(6);
        awaitHandles(stream, 106L);
    }
}
