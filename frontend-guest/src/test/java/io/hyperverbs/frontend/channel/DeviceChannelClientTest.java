package io.hyperverbs.frontend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.AsyncEventMessage;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.EventMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceChannelClientTest {
    private static final CallTiming PATIENT = new CallTiming(Duration.ofSeconds(20), 3, Duration.ofMillis(1));

    /** For calls that are not answered. */
    private static final CallTiming IMPATIENT = new CallTiming(Duration.ofMillis(200), 3, Duration.ofMillis(1));

    private static final ControlRequest REQUEST = new ControlRequest.AllocatePd(7);

    @TempDir
    Path folder;

    private TestBackend backend;
    private DeviceChannelClient client;

    @BeforeEach
    void setUp() throws Exception {
        backend = new TestBackend(folder.resolve("device.sock"));
        connect(PATIENT);
    }

    private void connect(CallTiming timing) {
        client = DeviceChannelClient.connect(folder.resolve("device.sock"), "c0ffee", timing);
    }

    @AfterEach
    void tearDown() {
        client.close();
        backend.close();
    }

    @Test
    void carriesRequestReplyAndToken() {
        backend.onCall = (request, out) -> TestBackend.answer(out, new ControlReply.PdAllocated(9, 3));

        ControlReply reply = client.call(REQUEST);

        assertThat(reply).isEqualTo(new ControlReply.PdAllocated(9, 3));
        assertThat(backend.request(0)).isEqualTo(REQUEST);
        assertThat(backend.tokens).containsExactly("c0ffee");
    }

    @Test
    void passesRefusalOn() {
        ControlReply refused = new ControlReply.Refused(VerbsStatus.EAGAIN, "quota.pd 4 of 4");
        backend.onCall = (request, out) -> TestBackend.answer(out, refused);

        assertThat(client.call(REQUEST)).isEqualTo(refused);
        assertThat(backend.calls).hasSize(1);
    }

    @Test
    void requestIdsGrow() {
        client.call(REQUEST);
        client.call(REQUEST);

        assertThat(backend.calls.get(1).getRequestId())
                .isEqualTo(backend.calls.get(0).getRequestId() + 1);
    }

    @Test
    void retriesWithTheSameIdWhatFailedInPassing() {
        backend.onCall = failing(2, out -> out.onError(Status.UNAVAILABLE.asException()));

        assertThat(client.call(REQUEST)).isEqualTo(new ControlReply.Done());

        assertThat(backend.calls).hasSize(3);
        assertThat(backend.calls.stream()
                        .map(ControlRequestMessage::getRequestId)
                        .distinct())
                .hasSize(1);
    }

    @Test
    void retriesWithTheSameIdWhatWasNotAnswered() {
        client.call(REQUEST);
        client.close();
        connect(IMPATIENT);
        backend.calls.clear();
        backend.onCall = failing(1, _ -> {});

        ControlReply reply = client.call(REQUEST);

        assertThat(reply).isEqualTo(new ControlReply.Done());
        assertThat(backend.calls).hasSizeGreaterThan(1);
        assertThat(backend.calls.stream()
                        .map(ControlRequestMessage::getRequestId)
                        .distinct())
                .hasSize(1);
    }

    @Test
    void saysTimedOutAfterTheLastAttempt() {
        client.close();
        connect(IMPATIENT);
        backend.onCall = (request, out) -> {};

        assertThat(statusOf(client.call(REQUEST))).isEqualTo(VerbsStatus.ETIMEDOUT);
    }

    @Test
    void saysIoErrorWhenTheBackendIsGone() {
        client.call(REQUEST);
        backend.close();

        assertThat(statusOf(client.call(REQUEST))).isEqualTo(VerbsStatus.EIO);
    }

    @Test
    void doesNotRepeatWhatTheBackendRejects() {
        backend.onCall = (request, out) -> out.onError(Status.INVALID_ARGUMENT.asException());

        assertThat(statusOf(client.call(REQUEST))).isEqualTo(VerbsStatus.EIO);
        assertThat(backend.calls).hasSize(1);
    }

    @Test
    void saysIoErrorToMalformedReply() {
        backend.onCall = (request, out) -> {
            out.onNext(ControlReplyMessage.newBuilder()
                    .setQpQueried(io.hyperverbs.vmm.io.wire.QpQueriedMessage.newBuilder()
                            .putAttributes(3000, 1))
                    .build());
            out.onCompleted();
        };

        assertThat(statusOf(client.call(REQUEST))).isEqualTo(VerbsStatus.EIO);
    }

    @Test
    void callsAfterCloseFailAtOnce() {
        client.close();

        assertThat(statusOf(client.call(REQUEST))).isEqualTo(VerbsStatus.EIO);
    }

    @Test
    void deliversEventsInOrderAndTheEnd() throws Exception {
        SeenEvents seen = new SeenEvents();
        client.subscribe(seen);
        StreamObserver<EventMessage> events = backend.events.get(5, TimeUnit.SECONDS);

        events.onNext(EventMessage.newBuilder().setCompletionCq(5).build());
        events.onNext(EventMessage.newBuilder()
                .setAsync(AsyncEventMessage.newBuilder()
                        .setContext(2)
                        .setType(AsyncEvent.Type.QP_FATAL.code())
                        .setNumber(77))
                .build());
        events.onNext(EventMessage.newBuilder().setOverflow(true).build());
        events.onCompleted();

        seen.are("cq 5", "context 2 AsyncEvent[type=QP_FATAL, number=77]", "overflow", "closed");
    }

    private static BiConsumer<ControlRequestMessage, StreamObserver<ControlReplyMessage>> failing(
            int times, java.util.function.Consumer<StreamObserver<ControlReplyMessage>> failure) {
        AtomicInteger left = new AtomicInteger(times);
        return (request, out) -> {
            if (left.getAndDecrement() > 0) {
                failure.accept(out);
            } else {
                TestBackend.answer(out, new ControlReply.Done());
            }
        };
    }

    private static VerbsStatus statusOf(ControlReply reply) {
        return ((ControlReply.Refused) reply).status();
    }
}
