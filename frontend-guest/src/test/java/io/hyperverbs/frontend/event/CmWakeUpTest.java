package io.hyperverbs.frontend.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CmWakeUpTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final EventDispatcher dispatcher = new EventDispatcher();
    private final CmWakeUp wakeUp = new CmWakeUp();

    @BeforeEach
    void setUp() {
        dispatcher.addBell(7, wakeUp);
    }

    @Test
    void ringsForItsOwnChannelAlone() throws VerbsException {
        dispatcher.connections(8);
        assertThat(wakeUp.await(0)).isFalse();

        dispatcher.connections(7);

        assertThat(wakeUp.await(0)).isTrue();
        assertThat(wakeUp.await(0)).isFalse();
    }

    @Test
    void ringsOnceHoweverOftenItWasRung() throws VerbsException {
        for (int i = 0; i < 1000; i++) {
            dispatcher.connections(7);
        }

        assertThat(wakeUp.await(0)).isTrue();
        assertThat(wakeUp.await(0)).isFalse();
    }

    /** What was lost may have been a ring: its waiter has to look. */
    @Test
    void ringsWhenEventsWereLost() throws VerbsException {
        dispatcher.overflow();

        assertThat(wakeUp.await(0)).isTrue();
    }

    @Test
    void wakesEveryWaiterWhenTheBackendIsGone() throws Exception {
        CompletableFuture<VerbsStatus> first = CompletableFuture.supplyAsync(this::failure);
        CompletableFuture<VerbsStatus> second = CompletableFuture.supplyAsync(this::failure);

        dispatcher.closed("backend died");

        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(VerbsStatus.EIO);
        assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(VerbsStatus.EIO);
        assertThatThrownBy(() -> wakeUp.await(0)).hasMessageContaining("backend died");
    }

    @Test
    void keepsToWhatItWasToldFirst() {
        for (int i = 0; i < 10; i++) {
            wakeUp.fail(VerbsStatus.EINVAL, "reason " + i);
        }

        assertThatThrownBy(() -> wakeUp.await(0)).hasMessageContaining("reason 0");
    }

    @Test
    void isSilentOnceForgotten() throws VerbsException {
        dispatcher.forgetBell(7);

        dispatcher.connections(7);
        dispatcher.overflow();

        assertThat(wakeUp.await(0)).isFalse();
    }

    private VerbsStatus failure() {
        try {
            wakeUp.await(LONG_NANOS);
            return VerbsStatus.SUCCESS;
        } catch (VerbsException e) {
            return e.status();
        }
    }
}
