package io.hyperverbs.frontend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.vmm.io.ControlPath;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestIdsTest {
    private final RequestIds ids = new RequestIds();

    @Test
    void growByOne() throws InterruptedException {
        for (long id = 1; id <= 3L * ControlPath.REPLIES_KEPT; id++) {
            assertThat(ids.draw()).isEqualTo(id);
            ids.answered(id);
        }
    }

    @Test
    void waitForTheOldestUnansweredRequest() throws Exception {
        for (int i = 1; i <= ControlPath.REPLIES_KEPT; i++) {
            assertThat(ids.draw()).isEqualTo(i);
        }
        // All but the oldest, in whatever order.
        for (int i = ControlPath.REPLIES_KEPT; i > 1; i--) {
            ids.answered(i);
        }
        CompletableFuture<Thread> drawing = new CompletableFuture<>();
        CompletableFuture<Long> next = CompletableFuture.supplyAsync(() -> {
            drawing.complete(Thread.currentThread());
            try {
                return ids.draw();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        await().until(() -> drawing.join().getState() == Thread.State.WAITING);
        assertThat(next).isNotDone();

        ids.answered(1);

        assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(ControlPath.REPLIES_KEPT + 1L);
    }
}
