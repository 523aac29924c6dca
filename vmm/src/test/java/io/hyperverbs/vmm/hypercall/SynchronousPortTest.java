package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.FindDomainCall;
import io.hyperverbs.vmm.hypercall.wire.FramesReply;
import io.hyperverbs.vmm.hypercall.wire.FreeFramesCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NextNoticeCall;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SynchronousPortTest {
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final AtomicReference<String> servedBy = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private SynchronousPort port;
    private SynchronousCalls calls;

    @BeforeEach
    void open() throws PosixException {
        SynchronousPort.Opened opened = SynchronousPort.open("hv0", new Service());
        port = opened.port();
        calls = new SynchronousCalls(opened.domainEnd());
    }

    @AfterEach
    void close() {
        held.countDown();
        port.close();
        calls.close();
    }

    /** Frees nothing; whoever looks for a domain waits until the test lets go. */
    private final class Service implements HypercallService {
        @Override
        public void serve(HypercallRequest request, HypercallConnection caller) {
            servedBy.set(Thread.currentThread().getName());
            switch (request.getCallCase()) {
                case FIND_DOMAIN -> {
                    reached.countDown();
                    awaitHeld();
                    caller.done(request.getId());
                }
                case ALLOCATE_FRAMES -> reply(request, caller);
                case FREE_FRAMES -> caller.refuse(request.getId(), VerbsStatus.ENOENT, "no extent");
                case GRANT -> throw new InternalError("planted");
                default -> caller.done(request.getId());
            }
        }

        private void reply(HypercallRequest request, HypercallConnection caller) {
            try {
                caller.reply(
                        HypercallReply.newBuilder().setId(request.getId()).setFrames(FramesReply.getDefaultInstance()),
                        List.of(Memfd.create("frames", 4096, false)));
            } catch (PosixException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void awaitHeld() {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void failed(Throwable thrown) {
            failure.set(thrown);
        }

        @Override
        public void connectionLost(HypercallConnection caller) {}
    }

    private static HypercallRequest.Builder free() {
        return HypercallRequest.newBuilder().setFreeFrames(FreeFramesCall.getDefaultInstance());
    }

    private static HypercallRequest.Builder find() {
        return HypercallRequest.newBuilder().setFindDomain(FindDomainCall.getDefaultInstance());
    }

    @Test
    void answersWithDescriptorsAndWithRefusals() throws Exception {
        HypercallChannel.Answer frames = calls.tryCall(HypercallRequest.newBuilder()
                .setAllocateFrames(io.hyperverbs.vmm.hypercall.wire.AllocateFramesCall.getDefaultInstance()));

        assertThat(frames).isNotNull();
        try (Fd memfd = frames.descriptor()) {
            assertThat(memfd.number()).isPositive();
        }
        assertThatThrownBy(() -> calls.tryCall(free()))
                .isInstanceOfSatisfying(
                        HypercallException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT));
        assertThat(servedBy).hasValue("hypercalls-sync-hv0");
    }

    @Test
    void servesOneCallAfterTheOtherForAsLongAsThereAreAny() throws Exception {
        for (int i = 0; i < 10 * HypercallPort.MAX_PENDING_CALLS; i++) {
            assertThatThrownBy(() -> calls.tryCall(free())).hasMessageContaining("no extent");
        }
    }

    @Test
    void sendsASecondCallerAnotherWayWhileOneWaits() throws Exception {
        CompletableFuture<HypercallChannel.Answer> first = CompletableFuture.supplyAsync(() -> tryCall(find()));
        reached.await();

        assertThat(calls.tryCall(free())).isNull();

        held.countDown();
        assertThat(first.get()).isNotNull();
    }

    private HypercallChannel.Answer tryCall(HypercallRequest.Builder request) {
        try {
            return calls.tryCall(request);
        } catch (HypercallException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void endsTheConnectionForACallThatWaits() {
        HypercallRequest.Builder waits =
                HypercallRequest.newBuilder().setNextNotice(NextNoticeCall.getDefaultInstance());

        assertThatThrownBy(() -> calls.tryCall(waits))
                .isInstanceOfSatisfying(
                        HypercallException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EIO));
        assertThat(servedBy).hasNullValue();
    }

    @Test
    void saysWhatCannotBeServedAndEnds() {
        HypercallRequest.Builder fails =
                HypercallRequest.newBuilder().setGrant(io.hyperverbs.vmm.hypercall.wire.GrantCall.getDefaultInstance());

        assertThatThrownBy(() -> calls.tryCall(fails)).isInstanceOf(HypercallException.class);
        await().untilAsserted(() -> assertThat(failure.get()).hasMessage("planted"));
    }

    @Test
    void callFailsWhenThePortIsClosedMeanwhileAndEachAfterIt() throws Exception {
        CompletableFuture<HypercallChannel.Answer> call = CompletableFuture.supplyAsync(() -> tryCall(find()));
        reached.await();

        port.close();

        assertThatThrownBy(call::get).hasRootCauseInstanceOf(HypercallException.class);
        assertThatThrownBy(() -> calls.tryCall(free())).hasMessageContaining("gone");
    }
}
