package io.hyperverbs.frontend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EventsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final EventDispatcher dispatcher = new EventDispatcher();
    private DriverChannel channel;
    private final Queue one = new Queue("cq 1");
    private final Queue two = new Queue("cq 2");
    private CqEventState eventsOfOne;
    private CqEventState eventsOfTwo;

    @BeforeEach
    void setUp() throws VerbsException {
        channel = DriverChannel.create(1, new Root(), dispatcher, null);
        eventsOfOne = new CqEventState(one, channel);
        eventsOfTwo = new CqEventState(two, channel);
        channel.register(eventsOfOne);
        channel.register(eventsOfTwo);
        dispatcher.add(11, eventsOfOne);
        dispatcher.add(22, eventsOfTwo);
    }

    @Test
    void translatesHandles() throws VerbsException {
        dispatcher.completion(22);
        dispatcher.completion(99);
        dispatcher.completion(11);

        assertThat(channel.await(Duration.ZERO)).contains(two);
        assertThat(channel.await(Duration.ZERO)).contains(one);
        assertThat(channel.await(Duration.ZERO)).isEmpty();
    }

    @Test
    void keepsOneEventPerQueue() throws VerbsException {
        for (int i = 0; i < 1000; i++) {
            dispatcher.completion(11);
        }

        assertThat(channel.await(Duration.ZERO)).contains(one);
        assertThat(channel.await(Duration.ZERO)).isEmpty();
    }

    @Test
    void wakesTheWaiter() throws Exception {
        CompletableFuture<Optional<CompletionQueue>> waiter = waiter();

        dispatcher.completion(11);

        assertThat(waiter.get(20, TimeUnit.SECONDS)).contains(one);
    }

    @Test
    void acceptsNoMoreAcknowledgementsThanEvents() throws VerbsException {
        dispatcher.completion(11);
        channel.await(Duration.ZERO);

        assertThatThrownBy(() -> channel.acknowledge(one, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> channel.acknowledge(two, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> channel.acknowledge(one, -1)).isInstanceOf(IllegalArgumentException.class);
        channel.acknowledge(one, 1);
    }

    @Test
    void retiringWaitsForAcknowledgement() throws Exception {
        dispatcher.completion(11);
        channel.await(Duration.ZERO);
        CompletableFuture<Void> retired =
                CompletableFuture.runAsync(() -> unchecked(() -> channel.retire(eventsOfOne, LONG)));
        assertThatThrownBy(() -> retired.get(50, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);

        channel.acknowledge(one, 1);

        retired.get(20, TimeUnit.SECONDS);
        dispatcher.completion(11);
        assertThat(channel.await(Duration.ZERO)).isEmpty();
    }

    @Test
    void retiringDropsWhatNobodyTook() throws VerbsException {
        dispatcher.completion(11);

        channel.retire(eventsOfOne, Duration.ZERO);

        assertThat(channel.await(Duration.ZERO)).isEmpty();
    }

    @Test
    void retiringGivesUpAndTheQueueLivesOn() throws VerbsException {
        dispatcher.completion(11);
        channel.await(Duration.ZERO);
        dispatcher.completion(11);

        assertThatThrownBy(() -> channel.retire(eventsOfOne, Duration.ofMillis(1)))
                .hasMessageStartingWith("EBUSY")
                .hasMessageContaining("cq 1");

        assertThat(channel.await(Duration.ZERO)).contains(one);
        channel.acknowledge(one, 2);
    }

    @Test
    void overflowAnnouncesEveryArmedQueue() throws VerbsException {
        eventsOfTwo.arming();

        dispatcher.overflow();

        assertThat(channel.await(Duration.ZERO)).contains(two);
        assertThat(channel.await(Duration.ZERO)).isEmpty();
        assertThat(eventsOfTwo.isArmed()).isFalse();
    }

    @Test
    void endOfTheEventChannelFailsWaitersAndContexts() throws Exception {
        AsyncEvents async = AsyncEvents.forwarded();
        dispatcher.addContext(5, async);
        CompletableFuture<Optional<CompletionQueue>> waiter = waiter();

        dispatcher.closed("backend gone");

        assertThatThrownBy(() -> waiter.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(VerbsException.class)
                .hasStackTraceContaining("EIO: event channel ended: backend gone");
        assertThat(async.await(Duration.ZERO)).contains(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0));
    }

    @Test
    void endOfTheEventChannelIsRememberedForWhatIsMadeLater() throws VerbsException {
        assertThat(dispatcher.hasEnded()).isFalse();
        dispatcher.closed("backend gone");

        AsyncEvents async = AsyncEvents.forwarded();
        dispatcher.addContext(5, async);
        CmWakeUp wakeUp = new CmWakeUp();
        dispatcher.addBell(6, wakeUp);
        DriverChannel later = DriverChannel.create(2, new Root(), dispatcher, null);

        assertThat(dispatcher.hasEnded()).isTrue();
        assertThat(async.await(Duration.ZERO)).contains(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0));
        assertThatThrownBy(() -> wakeUp.await(0)).hasMessageStartingWith("EIO");
        assertThatThrownBy(() -> later.await(Duration.ZERO)).hasMessageStartingWith("EIO");
    }

    @Test
    void asyncEventsGoToTheirContextAndAreBounded() throws VerbsException {
        AsyncEvents async = AsyncEvents.forwarded();
        dispatcher.addContext(5, async);
        dispatcher.async(6, new AsyncEvent(AsyncEvent.Type.QP_FATAL, 1));
        for (int i = 0; i < AsyncEvents.CAPACITY + 10; i++) {
            dispatcher.async(5, new AsyncEvent(AsyncEvent.Type.CQ_ERR, i));
        }

        int seen = 0;
        while (async.await(Duration.ZERO).isPresent()) {
            seen++;
        }

        assertThat(seen).isEqualTo(AsyncEvents.CAPACITY);
    }

    @Test
    void interruptEndsWaiting() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> channel.await(LONG))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINTR));
        assertThat(Thread.interrupted()).isTrue();
    }

    /**
     * One thread raises, one takes and acknowledges, and none is lost: arm, raise, take in turn.
     */
    @Test
    void losesNoEventBetweenTwoThreads() throws Exception {
        int rounds = 20_000;
        AtomicInteger armed = new AtomicInteger();
        CompletableFuture<Void> raiser = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= rounds; i++) {
                while (armed.get() < i) {
                    Thread.yield();
                }
                dispatcher.completion(11);
            }
        });
        for (int i = 1; i <= rounds; i++) {
            armed.set(i);
            assertThat(channel.await(LONG)).contains(one);
            channel.acknowledge(one, 1);
        }
        raiser.get(20, TimeUnit.SECONDS);
        channel.retire(eventsOfOne, Duration.ZERO);
    }

    private CompletableFuture<Optional<CompletionQueue>> waiter() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Optional<CompletionQueue>> result = CompletableFuture.supplyAsync(() -> {
            thread.complete(Thread.currentThread());
            try {
                return channel.await(LONG);
            } catch (VerbsException e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
        org.awaitility.Awaitility.await()
                .until(() -> thread.isDone() && thread.join().getState() == Thread.State.TIMED_WAITING);
        return result;
    }

    private interface Body {
        void run() throws VerbsException;
    }

    private static void unchecked(Body body) {
        try {
            body.run();
        } catch (VerbsException e) {
            throw new java.util.concurrent.CompletionException(e);
        }
    }

    static final class Root extends VerbsNode {
        @Override
        public String describe() {
            return "root";
        }

        @Override
        protected void destroy() {}
    }

    record Queue(String describe) implements CompletionQueue {
        @Override
        public Context context() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int capacity() {
            return 1;
        }

        @Override
        public int poll(WorkCompletion[] completions) {
            return 0;
        }

        @Override
        public VerbsStatus arm(boolean solicitedOnly) {
            return VerbsStatus.SUCCESS;
        }

        @Override
        public void resize(int entries) {}

        @Override
        public void moderate(int count, int periodMicros) {}

        @Override
        public void close() {}
    }
}
