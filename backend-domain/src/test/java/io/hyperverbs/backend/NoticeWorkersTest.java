package io.hyperverbs.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NoticeWorkersTest {
    private final NoticeWorkers workers = new NoticeWorkers().start();
    private final BlockingQueue<Integer> done = new LinkedBlockingQueue<>();

    private List<Integer> next(int count) throws InterruptedException {
        List<Integer> those = new ArrayList<>();
        while (those.size() < count) {
            Integer one = done.poll(30, TimeUnit.SECONDS);
            assertThat(one).as("after %s", those).isNotNull();
            those.add(one);
        }
        return those;
    }

    @Test
    void theWorkOfOneDomainIsDoneInOrder() throws Exception {
        for (int i = 0; i < 1000; i++) {
            int number = i;
            workers.submit(7, () -> done.add(number));
        }

        assertThat(next(1000)).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void slowDomainsHoldUpNoOther() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        for (int domain = 1; domain < NoticeWorkers.THREADS; domain++) {
            int slow = domain;
            workers.submit(slow, () -> {
                BackendDomainTest.awaitLatch(held);
                done.add(-slow);
            });
            // What comes later for a slow domain takes no worker from the others.
            workers.submit(slow, () -> done.add(slow));
        }

        workers.submit(100, () -> done.add(100));

        assertThat(next(1)).containsExactly(100);
        assertThat(done).isEmpty();
        held.countDown();
        List<Integer> rest = next(2 * (NoticeWorkers.THREADS - 1));
        for (int domain = 1; domain < NoticeWorkers.THREADS; domain++) {
            assertThat(rest.indexOf(-domain)).isLessThan(rest.indexOf(domain));
        }
    }

    @Test
    void workThatThrowsEndsNoWorker() throws Exception {
        for (int i = 0; i < 10 * NoticeWorkers.THREADS; i++) {
            workers.submit(i, () -> {
                throw new StackOverflowError("planted");
            });
            workers.submit(i, () -> done.add(1));
        }

        assertThat(next(10 * NoticeWorkers.THREADS)).containsOnly(1);
    }
}
