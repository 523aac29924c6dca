package io.hyperverbs.frontend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.AsyncEvent.Subject;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AsyncEventsTest {
    private static final AsyncEvent FATAL = new AsyncEvent(AsyncEvent.Type.QP_FATAL, 7);
    private static final AsyncEvent OTHER = new AsyncEvent(AsyncEvent.Type.QP_FATAL, 8);

    private final AsyncEvents events = AsyncEvents.forwarded();

    @Test
    void awaitAcknowledgesAtOnce() throws VerbsException {
        events.add(FATAL);

        assertThat(events.await(Duration.ZERO)).contains(FATAL);

        assertThatThrownBy(() -> events.acknowledge(FATAL)).isInstanceOf(IllegalArgumentException.class);
        events.retire(Subject.QP, 7, Duration.ZERO);
    }

    @Test
    void takenEventsAreAcknowledgedOnce() throws VerbsException {
        events.add(FATAL);
        assertThat(events.take(Duration.ZERO)).contains(FATAL);

        events.acknowledge(FATAL);

        assertThatThrownBy(() -> events.acknowledge(FATAL)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void retiringWithoutAcknowledgementIsBusyAndTakesNothingAway() throws VerbsException {
        events.add(FATAL);
        events.take(Duration.ZERO);

        VerbsException refusal =
                catchThrowableOfType(VerbsException.class, () -> events.retire(Subject.QP, 7, Duration.ZERO));

        assertThat(refusal.status()).isEqualTo(VerbsStatus.EBUSY);
        events.add(FATAL);
        assertThat(events.await(Duration.ZERO)).contains(FATAL);
    }

    @Test
    void retiringWaitsForTheAcknowledgement() throws Exception {
        events.add(FATAL);
        events.take(Duration.ZERO);
        CompletableFuture<Void> retired = CompletableFuture.runAsync(() -> {
            try {
                events.retire(Subject.QP, 7, Duration.ofSeconds(20));
            } catch (VerbsException e) {
                throw new IllegalStateException(e);
            }
        });

        events.acknowledge(FATAL);

        retired.get(20, TimeUnit.SECONDS);
    }

    @Test
    void retiringDropsWhatNobodyTookAndWhatComesLate() throws VerbsException {
        events.add(FATAL);
        events.add(OTHER);

        events.retire(Subject.QP, 7, Duration.ZERO);
        events.add(FATAL);

        assertThat(events.await(Duration.ZERO)).contains(OTHER);
        assertThat(events.await(Duration.ZERO)).isEmpty();
    }

    @Test
    void aNumberInUseAgainHasEventsAgain() throws VerbsException {
        events.retire(Subject.QP, 7, Duration.ZERO);

        events.admit(Subject.QP, 7);
        events.add(FATAL);

        assertThat(events.await(Duration.ZERO)).contains(FATAL);
    }

    @Test
    void subjectsOfOneNumberAreApart() throws VerbsException {
        events.retire(Subject.CQ, 7, Duration.ZERO);

        events.add(FATAL);

        assertThat(events.await(Duration.ZERO)).contains(FATAL);
    }

    @Test
    void deviceFatalIsNeverDropped() throws VerbsException {
        for (int i = 0; i < AsyncEvents.CAPACITY + 5; i++) {
            events.add(new AsyncEvent(AsyncEvent.Type.COMM_EST, i));
        }

        AsyncEvent last = new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0);
        events.add(last);

        AsyncEvent found = null;
        int count = 0;
        for (var next = events.await(Duration.ZERO); next.isPresent(); next = events.await(Duration.ZERO)) {
            found = next.get();
            count++;
        }
        assertThat(found).isEqualTo(last);
        assertThat(count).isEqualTo(AsyncEvents.CAPACITY);
    }
}
