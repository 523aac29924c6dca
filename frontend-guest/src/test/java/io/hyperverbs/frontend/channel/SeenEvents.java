package io.hyperverbs.frontend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a driver hears of its event channel, a word or two each. Any thread. */
final class SeenEvents implements EventSink {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** Waits until just these were seen, in this order. */
    void are(String... events) {
        await().untilAsserted(() -> assertThat(seen).containsExactly(events));
    }

    @Override
    public void subscribed() {
        seen.add("subscribed");
    }

    @Override
    public void completion(long cq) {
        seen.add("cq " + cq);
    }

    @Override
    public void async(long context, AsyncEvent event) {
        seen.add("context " + context + " " + event);
    }

    @Override
    public void connections(long channel) {
        seen.add("connections " + channel);
    }

    @Override
    public void overflow() {
        seen.add("overflow");
    }

    @Override
    public void closed(String reason) {
        seen.add("closed");
    }
}
