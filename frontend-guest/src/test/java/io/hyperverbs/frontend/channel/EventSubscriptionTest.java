package io.hyperverbs.frontend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.EventMessage;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The connection of events, and that of calls, lost at each step. */
@Timeout(60)
class EventSubscriptionTest {
    private static final int HANDSHAKES_LOST = 3;
    private static final EventMessage CONFIRMED =
            EventMessage.newBuilder().setSubscribed(true).build();
    private static final EventMessage OVERFLOW =
            EventMessage.newBuilder().setOverflow(true).build();

    @TempDir
    Path folder;

    private final SeenEvents seen = new SeenEvents();
    private DeviceChannelClient client;
    private volatile IOException broken;

    private Path socket() {
        return folder.resolve("device.sock");
    }

    private void connect(Duration deadline, int attempts) {
        client = DeviceChannelClient.connect(
                socket(), "c0ffee", new CallTiming(deadline, attempts, Duration.ofMillis(1)));
    }

    private void subscribe() {
        connect(Duration.ofSeconds(20), 3);
        client.subscribe(seen);
    }

    private static StreamObserver<EventMessage> confirmed(TestBackend backend) throws Exception {
        StreamObserver<EventMessage> stream = backend.subscriptions.poll(20, TimeUnit.SECONDS);
        assertThat(stream).as("subscription").isNotNull();
        stream.onNext(CONFIRMED);
        return stream;
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void subscribesAgainWhenTheStreamIsLost() throws Exception {
        try (TestBackend backend = new TestBackend(socket())) {
            subscribe();
            StreamObserver<EventMessage> first = confirmed(backend);
            first.onNext(EventMessage.newBuilder().setCompletionCq(1).build());
            first.onError(Status.UNAVAILABLE.asException());

            StreamObserver<EventMessage> second = confirmed(backend);
            second.onNext(OVERFLOW);
            second.onNext(EventMessage.newBuilder().setCompletionCq(2).build());

            seen.are("subscribed", "cq 1", "subscribed", "overflow", "cq 2");
        }
    }

    @Test
    void subscribesAgainBeforeItWasConfirmed() throws Exception {
        try (TestBackend backend = new TestBackend(socket())) {
            subscribe();
            backend.subscriptions.take().onError(Status.CANCELLED.asException());

            confirmed(backend);

            client.awaitSubscribed();
            seen.are("subscribed");
        }
    }

    @Test
    void subscribesAgainOverANewConnection() throws Exception {
        try (TestBackend backend = new TestBackend(socket())) {
            subscribe();
            confirmed(backend);
            client.awaitSubscribed();
        }

        try (TestBackend backend = new TestBackend(socket())) {
            confirmed(backend)
                    .onNext(EventMessage.newBuilder().setCompletionCq(2).build());

            seen.are("subscribed", "subscribed", "cq 2");
        }
    }

    /** What a guest sees that stood still before its preface: the backend has closed on it. */
    @Test
    void subscribesAndCallsAfterConnectionsThatEndedInTheHandshake() throws Exception {
        try (ServerSocketChannel closing = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            closing.bind(UnixDomainSocketAddress.of(socket()));
            subscribe();
            for (int i = 0; i < HANDSHAKES_LOST; i++) {
                try (SocketChannel late = closing.accept()) {
                    assertThat(late.isConnected()).isTrue();
                }
            }
        }
        Files.delete(socket());

        try (TestBackend backend = new TestBackend(socket())) {
            confirmed(backend)
                    .onNext(EventMessage.newBuilder().setCompletionCq(2).build());
            client.awaitSubscribed();

            seen.are("subscribed", "cq 2");
            assertThat(client.call(new ControlRequest.AllocatePd(7))).isEqualTo(new ControlReply.Done());
        }
    }

    @Test
    void callsAgainAtOnceAfterAConnectionThatEndedInTheHandshake() throws Exception {
        // Over after 127 ms; gRPC's own first pause is 800 ms at least.
        connect(Duration.ofSeconds(20), 8);
        try (ServerSocketChannel closing = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            closing.bind(UnixDomainSocketAddress.of(socket()));
            Thread late = Thread.ofPlatform().start(() -> {
                try {
                    SocketChannel first = closing.accept();
                    Files.delete(socket());
                    first.close();
                } catch (IOException e) {
                    broken = e;
                }
            });
            ControlReply refused = client.call(new ControlRequest.AllocatePd(7));
            late.join();
            assertThat(refused).isInstanceOf(ControlReply.Refused.class);
        }

        try (TestBackend backend = new TestBackend(socket())) {
            assertThat(client.call(new ControlRequest.AllocatePd(7))).isEqualTo(new ControlReply.Done());
            assertThat(backend.calls).hasSize(1);
        }
        assertThat(broken).isNull();
    }

    @Test
    void saysWhenTheChannelStaysAway() throws Exception {
        connect(Duration.ofMillis(100), 2);
        try (TestBackend backend = new TestBackend(socket())) {
            client.subscribe(seen);
            confirmed(backend);
            client.awaitSubscribed();
        }

        seen.are("subscribed", "closed");
    }

    @Test
    void saysHowFarItCameWhenNobodyConfirms() throws Exception {
        connect(Duration.ofMillis(100), 2);
        try (TestBackend backend = new TestBackend(socket())) {
            client.subscribe(seen);
            assertThat(backend.subscriptions.poll(20, TimeUnit.SECONDS)).isNotNull();

            assertThatThrownBy(client::awaitSubscribed)
                    .isInstanceOf(IOException.class)
                    .hasMessage("event channel: no subscription within 200 ms; the connection is READY");
        }
    }

    @Test
    void saysAtOnceWhatTheBackendRejects() throws Exception {
        try (TestBackend backend = new TestBackend(socket())) {
            subscribe();
            backend.subscriptions.take().onError(Status.PERMISSION_DENIED.asException());

            seen.are("closed");
            assertThatThrownBy(client::awaitSubscribed)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("PERMISSION_DENIED");
        }
    }
}
