package io.hyperverbs.frontend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.layout.EventRingLayout;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.posix.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link PostedEvents} beside an HCA that the test plays. */
@Timeout(30)
class EventRingReaderTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment page = arena.allocate(4096, 64);
    private final CompletionQueue one = new EventsTest.Queue("cq 1");
    private final CompletionQueue two = new EventsTest.Queue("cq 2");
    private DriverChannel channel;
    private PostedEvents posted;
    private int tail;

    @BeforeEach
    void setUp() throws VerbsException {
        posted = PostedEvents.on(page, "events");
        channel = DriverChannel.create(1, new EventsTest.Root(), new EventDispatcher(), posted);
        CqEventState eventsOfOne = new CqEventState(one, channel);
        CqEventState eventsOfTwo = new CqEventState(two, channel);
        channel.register(eventsOfOne);
        channel.register(eventsOfTwo);
        posted.add(1, eventsOfOne);
        posted.add(2, eventsOfTwo);
    }

    @AfterEach
    void tearDown() {
        posted.stop();
    }

    private void post(int... slots) {
        for (int slot : slots) {
            EventRingLayout.COMPLETIONS.write(page, 0, tail++, slot);
        }
        publish();
    }

    private void publish() {
        if (EventRingLayout.COMPLETIONS.publish(page, 0, tail)) {
            new Futex(page, EventRingLayout.COMPLETIONS.tailOffset(0)).wake();
        }
    }

    @Test
    void takesEventsInTheirOrderAndThoseOfNobodyToo() throws VerbsException {
        assertThat(EventRingLayout.COMPLETIONS.isWanted(page, 0)).isTrue();
        post(99, 2, 1);

        assertThat(channel.await(LONG)).contains(two);
        assertThat(channel.await(LONG)).contains(one);
    }

    @Test
    void takesAsManyAsAreGoing() throws VerbsException {
        for (int i = 0; i < 3 * EventRingLayout.COMPLETIONS.entries(); i++) {
            post(1);
            assertThat(channel.await(LONG)).contains(one);
            channel.acknowledge(one, 1);
        }

        posted.forget(1);
        assertThat(EventRingLayout.COMPLETIONS.headAcquire(page, 0)).isEqualTo(tail);
    }

    @Test
    void stopsBeforeThePageIsAnothersAndGoesOnWhereItIsNot() throws VerbsException {
        posted.stop();
        post(1);
        assertThat(EventRingLayout.COMPLETIONS.headAcquire(page, 0)).isZero();
        assertThat(channel.await(Duration.ZERO)).isEmpty();

        posted.start();
        assertThat(channel.await(LONG)).contains(one);
    }

    @Test
    void saysToWhoWaitsThatNoMoreEventsAreTaken() {
        arena.close();

        assertThatThrownBy(() -> channel.await(LONG))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("events are no longer taken");
    }
}
