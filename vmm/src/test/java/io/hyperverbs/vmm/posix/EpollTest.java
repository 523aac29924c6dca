package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class EpollTest {
    @Test
    void reportsEachSignalOnceWithItsTag() throws Exception {
        try (Epoll epoll = Epoll.create();
                EventFd quiet = EventFd.create();
                EventFd loud = EventFd.create()) {
            epoll.add(quiet.fd().number(), 1);
            epoll.add(loud.fd().number(), 0x1234_5678_9abcL);

            loud.signal();

            assertThat(epoll.await(Epoll.FOREVER)).isOne();
            assertThat(epoll.tag(0)).isEqualTo(0x1234_5678_9abcL);
            assertThat(epoll.await(0)).isZero();
            loud.signal();
            assertThat(epoll.await(Epoll.FOREVER)).isOne();
        }
    }

    @Test
    void forgetsWhatWasRemoved() throws Exception {
        try (Epoll epoll = Epoll.create();
                EventFd event = EventFd.create()) {
            epoll.add(event.fd().number(), 1);
            epoll.remove(event.fd().number());

            event.signal();

            assertThat(epoll.await(0)).isZero();
        }
    }

    @Test
    void waitsAsLongAsItIsTold() throws Exception {
        try (Epoll epoll = Epoll.create()) {
            long start = System.nanoTime();

            assertThat(epoll.await(2_500_000)).isZero();

            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2_500_000);
        }
    }

    @Test
    void drainTakesTheCount() throws Exception {
        try (EventFd event = EventFd.create()) {
            event.signal();
            event.signal();

            assertThat(event.drain()).isEqualTo(2);
            assertThat(event.drain()).isZero();
        }
    }
}
