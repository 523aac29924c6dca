package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.io.ControlRequest;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A channel under load. */
@RunsWhenChanged
@Timeout(60)
class DeviceServerLoadTest extends ServedChannel {
    @Test
    void servesAfterHundredsOfConnectionsThatCameAndWent() throws IOException {
        for (int i = 0; i < 500; i++) {
            try (SocketChannel fleeting = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                fleeting.connect(UnixDomainSocketAddress.of(socket));
            }
        }

        awaitServed();
    }

    /** A driver that keeps 64 calls under way is within its budget however long it goes on. */
    @Test
    void neverTakesADriverThatPipelinesForAFlood() throws InterruptedException {
        int calls = 20_000;
        AtomicInteger failed = new AtomicInteger();
        Semaphore room = new Semaphore(64);
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            ControlRequest query = new ControlRequest.QueryPort(0, 1);
            for (int i = 1; i <= calls; i++) {
                room.acquire();
                guest.stream().call(GuestStub.generated(i, query), new Collector<>(new ArrayList<>()) {
                    @Override
                    public void onError(Throwable cause) {
                        failed.incrementAndGet();
                        room.release();
                    }

                    @Override
                    public void onCompleted() {
                        room.release();
                    }
                });
            }
            room.acquire(64);
        }

        assertThat(failed).hasValue(0);
        assertThat(session.rejections().of(RejectedAct.FLOOD)).isZero();
        assertThat(session.controlMessages()).isEqualTo(calls);
    }
}
