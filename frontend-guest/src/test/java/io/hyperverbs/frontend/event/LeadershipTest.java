package io.hyperverbs.frontend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.posix.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who sleeps on the page of posted events, and who gets them, beside an HCA that the test plays. */
@Timeout(60)
class LeadershipTest {
    private static final Duration LONG = Duration.ofSeconds(40);

    private final MemorySegment page = Arena.ofAuto().allocate(4096, 64);
    private final PostedEvents posted = PostedEvents.on(page, "events-of-test");
    private final EventDispatcher dispatcher = new EventDispatcher();
    private final List<DriverChannel> channels = new ArrayList<>();
    private final List<CqEventState> queues = new ArrayList<>();
    private int tail;

    /** A thread that waits for one event. */
    private record Waiter(Thread thread, CompletableFuture<Optional<CompletionQueue>> event) {
        Optional<CompletionQueue> get() throws Exception {
            return event.get(40, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void tearDown() {
        posted.stop();
    }

    private int addChannel() throws VerbsException {
        channels.add(DriverChannel.create(channels.size(), new EventsTest.Root(), dispatcher, posted));
        return channels.size() - 1;
    }

    /** Its slot is its place, its description too. */
    private int addQueue(int channel) {
        int slot = queues.size();
        CompletionQueue queue = new EventsTest.Queue(Integer.toString(slot));
        CqEventState events = new CqEventState(queue, channels.get(channel));
        channels.get(channel).register(events);
        posted.add(slot, events);
        queues.add(events);
        return slot;
    }

    private void post(int slot) {
        EventRingLayout.COMPLETIONS.write(page, 0, tail++, slot);
        if (EventRingLayout.COMPLETIONS.publish(page, 0, tail)) {
            new Futex(page, EventRingLayout.COMPLETIONS.tailOffset(0)).wake();
        }
    }

    private void awaitSleeper() {
        await().until(() -> EventRingLayout.COMPLETIONS.publish(page, 0, tail));
    }

    private Waiter waiter(int channel, boolean isVirtual) {
        CompletableFuture<Optional<CompletionQueue>> event = new CompletableFuture<>();
        Runnable body = () -> {
            try {
                event.complete(channels.get(channel).await(LONG));
            } catch (VerbsException | RuntimeException e) {
                event.completeExceptionally(e);
            }
        };
        Thread thread = isVirtual
                ? Thread.ofVirtual().start(body)
                : Thread.ofPlatform().daemon().start(body);
        return new Waiter(thread, event);
    }

    /** One that leads, asleep. */
    private Waiter leader(int channel) {
        Waiter leader = waiter(channel, false);
        awaitSleeper();
        return leader;
    }

    /** One that follows, asleep. */
    private Waiter follower(int channel, boolean isVirtual) {
        Waiter follower = waiter(channel, isVirtual);
        await().until(() -> follower.thread().getState() == Thread.State.TIMED_WAITING);
        return follower;
    }

    private static void expectInterrupted(Waiter waiter) {
        assertThatThrownBy(waiter::get)
                .cause()
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINTR));
    }

    private static Optional<Thread> reader() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("events-of-test"))
                .findAny();
    }

    private static boolean hasReader() {
        return reader().isPresent();
    }

    @Test
    void thePlatformThreadThatWaitsSleepsOnThePageItself() throws Exception {
        int slot = addQueue(addChannel());
        Waiter leader = leader(0);

        assertThat(hasReader()).isFalse();
        post(slot);

        assertThat(leader.get()).contains(queues.get(slot).queue);
    }

    @Test
    void theLeaderTakesTheEventsOfFollowersAndHandsLeadershipOn() throws Exception {
        int one = addQueue(addChannel());
        int two = addQueue(addChannel());
        int three = addQueue(addChannel());
        Waiter first = leader(0);
        Waiter second = follower(1, false);
        Waiter third = follower(2, true);

        post(two);
        assertThat(second.get()).contains(queues.get(two).queue);
        assertThat(first.event()).isNotDone();

        post(one);
        assertThat(first.get()).contains(queues.get(one).queue);
        // Now the reader leads, for the virtual thread.
        awaitSleeper();
        assertThat(hasReader()).isTrue();
        post(three);
        assertThat(third.get()).contains(queues.get(three).queue);
    }

    @Test
    void aPlatformThreadLeadsAgainAfterTheReader() throws Exception {
        int one = addQueue(addChannel());
        int two = addQueue(addChannel());
        Waiter virtual = waiter(0, true);
        awaitSleeper();
        Waiter platform = follower(1, false);

        post(one);
        assertThat(virtual.get()).contains(queues.get(one).queue);
        awaitSleeper();
        await().until(() -> platform.thread().getState() == Thread.State.RUNNABLE);
        post(two);

        assertThat(platform.get()).contains(queues.get(two).queue);
    }

    @Test
    void anInterruptedLeaderLeavesAndAnotherTakesOver() throws Exception {
        int slot = addQueue(addChannel());
        Waiter leader = leader(0);
        Waiter follower = follower(0, false);

        leader.thread().interrupt();

        expectInterrupted(leader);
        await().until(() -> follower.thread().getState() == Thread.State.RUNNABLE);
        awaitSleeper();
        post(slot);
        assertThat(follower.get()).contains(queues.get(slot).queue);
    }

    @Test
    void interruptedFollowersLeave() throws Exception {
        int slot = addQueue(addChannel());
        Waiter leader = leader(0);
        Waiter platform = follower(0, false);
        Waiter virtual = follower(0, true);

        platform.thread().interrupt();
        virtual.thread().interrupt();

        expectInterrupted(platform);
        expectInterrupted(virtual);
        post(slot);
        assertThat(leader.get()).contains(queues.get(slot).queue);
    }

    @Test
    void theReaderSleepsOnWhenItIsInterrupted() throws Exception {
        int slot = addQueue(addChannel());
        Waiter virtual = waiter(0, true);
        awaitSleeper();
        Thread reader = reader().orElseThrow();

        reader.interrupt();

        await().until(() -> !reader.isInterrupted());
        post(slot);
        assertThat(virtual.get()).contains(queues.get(slot).queue);
    }

    @Test
    void anEventThatWasNotPostedWakesTheLeader() throws Exception {
        int slot = addQueue(addChannel());
        Waiter leader = leader(0);

        queues.get(slot).raise();

        assertThat(leader.get()).contains(queues.get(slot).queue);
    }

    @Test
    void theEndOfTheEventChannelWakesAll() throws Exception {
        int channel = addChannel();
        Waiter leader = leader(channel);
        Waiter platform = follower(channel, false);
        Waiter virtual = follower(channel, true);

        dispatcher.closed("backend gone");

        for (Waiter waiter : List.of(leader, platform, virtual)) {
            assertThatThrownBy(waiter::get).hasStackTraceContaining("EIO: event channel ended: backend gone");
        }
    }

    @Test
    void theContextEndsWhileALeaderSleeps() throws Exception {
        int slot = addQueue(addChannel());
        Waiter leader = leader(0);

        posted.stop();

        assertThat(EventRingLayout.COMPLETIONS.publish(page, 0, tail)).isFalse();
        post(slot);
        await().until(() -> leader.thread().getState() == Thread.State.TIMED_WAITING);
        assertThat(EventRingLayout.COMPLETIONS.headAcquire(page, 0)).isZero();

        // Its destruction was refused.
        posted.start();
        assertThat(leader.get()).contains(queues.get(slot).queue);
    }

    @Test
    void virtualThreadsGoOnWhereTheDestructionWasRefused() throws Exception {
        int slot = addQueue(addChannel());
        Waiter virtual = waiter(0, true);
        awaitSleeper();

        posted.stop();
        await().until(() -> !hasReader());
        post(slot);
        posted.start();

        assertThat(virtual.get()).contains(queues.get(slot).queue);
    }

    @Test
    void timeEndsTheWaitOfTheLeader() throws Exception {
        int channel = addChannel();
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();

        assertThat(channels.get(channel).await(Duration.ofMillis(500))).isEmpty();

        // One that spun would have used most of it.
        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin)
                .isLessThan(Duration.ofMillis(100).toNanos());
        assertThat(EventRingLayout.COMPLETIONS.publish(page, 0, tail)).isFalse();
    }

    /** Each event is taken once, in random orders, by threads of both kinds: who wait for long, or with interrupts. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void losesNoEventAndGivesNoneTwice(boolean isDisturbed) throws Exception {
        long seed = 20_261;
        SplittableRandom random = new SplittableRandom(seed);
        Walk walk = new Walk(20_000, isDisturbed);
        for (int channel = 0; channel < 4; channel++) {
            int place = addChannel();
            for (int queue = 0; queue <= place; queue++) {
                int slot = addQueue(place);
                walk.states.add(new AtomicInteger());
                assertThat(walk.states).hasSize(slot + 1);
            }
        }
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int channel = i % 4;
            SplittableRandom own = random.split();
            Runnable body = () -> walk.take(channel, own);
            waiters.add(
                    i % 3 == 0
                            ? Thread.ofVirtual().start(body)
                            : Thread.ofPlatform().daemon().start(body));
        }

        int sent = 0;
        while (sent < walk.count && walk.failure.get() == null) {
            int slot = random.nextInt(walk.states.size());
            if (walk.states.get(slot).compareAndSet(0, 1)) {
                post(slot);
                sent++;
            } else {
                Thread.yield();
            }
            if (isDisturbed && random.nextInt(50) == 0) {
                waiters.get(random.nextInt(waiters.size())).interrupt();
            }
        }

        await().alias("seed " + seed)
                .atMost(LONG)
                .until(() -> walk.taken.get() == walk.count || walk.failure.get() != null);
        dispatcher.closed("no more");
        for (Thread waiter : waiters) {
            waiter.join();
        }
        assertThat(walk.failure.get()).as("seed %d", seed).isNull();
        assertThat(walk.taken).as("seed %d", seed).hasValue(walk.count);
    }

    private final class Walk {
        final int count;
        // By slot: 1 while an event of it is posted and was not taken.
        final List<AtomicInteger> states = new ArrayList<>();
        final AtomicInteger taken = new AtomicInteger();
        final AtomicReference<Throwable> failure = new AtomicReference<>();

        private final boolean isDisturbed;

        Walk(int count, boolean isDisturbed) {
            this.count = count;
            this.isDisturbed = isDisturbed;
        }

        void take(int channel, SplittableRandom random) {
            while (taken.get() < count && failure.get() == null) {
                Duration timeout = isDisturbed ? Duration.ofMillis(random.nextInt(4) * 10L) : LONG;
                try {
                    Optional<CompletionQueue> event = channels.get(channel).await(timeout);
                    if (event.isPresent()) {
                        taken(channel, event.get());
                    }
                } catch (VerbsException e) {
                    boolean isInterrupt = e.status() == VerbsStatus.EINTR && Thread.interrupted();
                    boolean isEnd = e.status() == VerbsStatus.EIO && taken.get() == count;
                    if (!isInterrupt && !isEnd) {
                        failure.compareAndSet(null, e);
                    }
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                }
            }
        }

        private void taken(int channel, CompletionQueue queue) {
            channels.get(channel).acknowledge(queue, 1);
            assertThat(states.get(Integer.parseInt(queue.describe())).compareAndSet(1, 0))
                    .as("event of %s was posted once", queue)
                    .isTrue();
            taken.incrementAndGet();
        }
    }
}
