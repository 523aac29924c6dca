package io.hyperverbs.frontend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.AsyncEvent.Subject;
import io.hyperverbs.verbs.AsyncEvent.Type;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.posix.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link AsyncEvents} in a page, beside an HCA that the test plays. */
@Timeout(30)
class PostedAsyncEventsTest {
    private static final EventRingLayout RING = EventRingLayout.ASYNCS;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final MemorySegment page = Arena.ofAuto().allocate(4096, 64);
    private final AsyncEvents events = AsyncEvents.posted(page, "async");
    private int tail;

    @AfterEach
    void tearDown() {
        events.stop();
    }

    private static AsyncEvent event(Type type, int number) {
        return new AsyncEvent(type, number);
    }

    private void post(AsyncEvent... posted) {
        for (AsyncEvent event : posted) {
            RING.write(page, 0, tail++, EventRingLayout.async(event.type().code(), event.number()));
        }
        if (RING.publish(page, 0, tail)) {
            new Futex(page, RING.tailOffset(0)).wake();
        }
    }

    private Optional<AsyncEvent> next() throws VerbsException {
        return events.await(Duration.ZERO);
    }

    @Test
    void namesTheTypeAndTheObjectInOrder() throws VerbsException {
        assertThat(RING.isWanted(page, 0)).isTrue();
        post(event(Type.COMM_EST, 0xffffff), event(Type.QP_FATAL, 0xffffff), event(Type.PORT_ERR, 1));

        assertThat(next()).contains(event(Type.COMM_EST, 0xffffff));
        assertThat(next()).contains(event(Type.QP_FATAL, 0xffffff));
        assertThat(next()).contains(event(Type.PORT_ERR, 1));
        assertThat(next()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wakesWhoWaits(boolean isVirtual) throws Exception {
        Callable<Optional<AsyncEvent>> waiting = () -> events.take(LONG);
        FutureTask<Optional<AsyncEvent>> waiter = new FutureTask<>(waiting);
        Thread thread = (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(waiter);
        await().until(() -> RING.publish(page, 0, tail));

        post(event(Type.SRQ_LIMIT_REACHED, 3));

        assertThat(waiter.get(20, TimeUnit.SECONDS)).contains(event(Type.SRQ_LIMIT_REACHED, 3));
        thread.join();
    }

    @Test
    void theEventsOfADestroyedObjectAreAnothersInNoWay() throws VerbsException {
        post(event(Type.QP_FATAL, 7), event(Type.QP_FATAL, 8));

        // One more comes while it is being destroyed.
        events.end(Subject.QP, 7, () -> post(event(Type.QP_LAST_WQE_REACHED, 7)));
        events.admit(Subject.QP, 7);

        assertThat(next()).contains(event(Type.QP_FATAL, 8));
        assertThat(next()).isEmpty();
        post(event(Type.COMM_EST, 7));
        assertThat(next()).contains(event(Type.COMM_EST, 7));
    }

    @Test
    void anEventWithoutRoomComesAfterThoseBeforeIt() throws VerbsException {
        for (int i = 0; i < RING.entries(); i++) {
            post(event(Type.CQ_ERR, i));
        }
        events.forwarded(event(Type.CQ_ERR, RING.entries()));
        post(event(Type.CQ_ERR, RING.entries() + 1));

        for (int i = 0; i < RING.entries() + 2; i++) {
            assertThat(next()).contains(event(Type.CQ_ERR, i));
        }
        assertThat(next()).isEmpty();
    }

    @Test
    void whateverIsInThePageIsAnEventOrNone() throws VerbsException {
        RING.write(page, 0, tail++, EventRingLayout.async(255, 5));
        RING.publish(page, 0, tail);
        assertThat(next()).contains(event(Type.DEVICE_FATAL, 5));

        events.stop();
        post(event(Type.CQ_ERR, 1));
        assertThat(next()).isEmpty();
    }
}
