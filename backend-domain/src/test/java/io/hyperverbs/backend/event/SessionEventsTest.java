package io.hyperverbs.backend.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SessionEventsTest {
    private static final AsyncEvent FATAL = new AsyncEvent(AsyncEvent.Type.QP_FATAL, 5);

    /** Writes down what it gets. */
    private static final class Reader implements EventSink {
        final List<String> got = new ArrayList<>();
        int subscriptions;

        @Override
        public void subscribed() {
            subscriptions++;
        }

        @Override
        public void completion(long cq) {
            got.add("cq " + cq);
        }

        @Override
        public void async(long context, AsyncEvent event) {
            got.add("async " + context + " " + event.type());
        }

        @Override
        public void connections(long channel) {
            got.add("connections " + channel);
        }

        @Override
        public void overflow() {
            got.add("overflow");
        }

        @Override
        public void closed(String reason) {
            got.add("closed");
        }
    }

    private final SessionEvents queue = new SessionEvents(4);
    private final Reader reader = new Reader();
    private final AtomicBoolean ready = new AtomicBoolean(true);

    @Test
    void deliversAtOnceToAReadyReader() {
        queue.subscribe(reader, ready::get);

        queue.completion(1);
        queue.async(2, FATAL);

        assertThat(reader.got).containsExactly("cq 1", "async 2 QP_FATAL");
        assertThat(queue.size()).isZero();
    }

    @Test
    void keepsEventsForAReaderToCome() {
        queue.completion(1);

        queue.subscribe(reader, ready::get);

        assertThat(reader.got).containsExactly("cq 1");
    }

    @Test
    void coalescesPerQueueWhileTheReaderIsStopped() {
        ready.set(false);
        queue.subscribe(reader, ready::get);
        for (int i = 0; i < 1_000_000; i++) {
            queue.completion(1 + i % 2);
        }

        assertThat(queue.size()).isEqualTo(2);
        ready.set(true);
        queue.deliver();
        assertThat(reader.got).containsExactly("cq 1", "cq 2");
        assertThat(queue.dropped()).isZero();
    }

    @Test
    void dropsBeyondItsCapacityAndSaysSoFirst() {
        ready.set(false);
        queue.subscribe(reader, ready::get);
        for (int i = 0; i < 100_000; i++) {
            queue.async(i, FATAL);
        }

        assertThat(queue.size()).isEqualTo(4);
        assertThat(queue.dropped()).isEqualTo(99_996);
        ready.set(true);
        queue.deliver();
        assertThat(reader.got.getFirst()).isEqualTo("overflow");
        assertThat(reader.got).hasSize(5);
    }

    @Test
    void forgetsAQueueThatWasDestroyed() {
        queue.completion(1);
        queue.completion(2);
        queue.forget(1);

        queue.subscribe(reader, ready::get);

        assertThat(reader.got).containsExactly("cq 2");
    }

    @Test
    void keepsOneEventPerConnectionChannelAndForgetsItWithTheChannel() {
        queue.connections(1);
        queue.connections(2);
        queue.connections(1);
        queue.forgetConnections(2);

        queue.subscribe(reader, ready::get);

        assertThat(reader.got).containsExactly("connections 1");
    }

    @Test
    void dropsConnectionEventsBeyondItsCapacityAndSaysSo() {
        for (int i = 0; i < 100; i++) {
            queue.connections(i);
        }

        assertThat(queue.size()).isEqualTo(4);
        queue.subscribe(reader, ready::get);
        assertThat(reader.got.getFirst()).isEqualTo("overflow");
    }

    @Test
    void endsTheOldSubscriptionForANewOne() {
        Reader second = new Reader();
        queue.subscribe(reader, ready::get);

        queue.subscribe(second, ready::get);
        queue.unsubscribe(reader);
        queue.completion(9);

        assertThat(reader.got).containsExactly("closed");
        assertThat(second.got).containsExactly("overflow", "cq 9");
    }

    @Test
    void tellsTheNextSubscriberThatEventsMayBeLost() {
        Reader second = new Reader();
        queue.completion(7);
        queue.subscribe(reader, ready::get);
        queue.unsubscribe(reader);
        queue.completion(8);

        queue.subscribe(second, ready::get);

        assertThat(reader.got).containsExactly("cq 7");
        assertThat(reader.subscriptions).isEqualTo(1);
        assertThat(second.got).containsExactly("overflow", "cq 8");
        assertThat(second.subscriptions).isEqualTo(1);
    }
}
