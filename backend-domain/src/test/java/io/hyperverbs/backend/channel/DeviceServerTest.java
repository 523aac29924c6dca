package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DataRequestMessage;
import io.hyperverbs.vmm.io.wire.DeviceChannelGrpc;
import io.hyperverbs.vmm.io.wire.EventMessage;
import io.hyperverbs.vmm.io.wire.PostEntriesMessage;
import io.hyperverbs.vmm.io.wire.SubscribeMessage;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceServerTest extends ServedChannel {
    @Test
    void carriesVerbsAndRefusals() {
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            ControlReply opened = guest.call(OPEN);
            ControlReply refused = guest.call(new ControlRequest.AllocatePd(99));

            assertThat(opened).isInstanceOf(ControlReply.ContextOpened.class);
            assertThat(refused).isEqualTo(new ControlReply.Refused(VerbsStatus.EINVAL, "no such context"));
        }
    }

    @Test
    void repeatsAReplyOverAnotherConnection() {
        try (GuestStub first = new GuestStub(socket, TOKEN);
                GuestStub second = new GuestStub(socket, TOKEN)) {
            assertThat(second.call(5, OPEN)).isEqualTo(first.call(5, OPEN));
        }
        assertThat(bench.hca.live()).hasSize(1);
    }

    @Test
    void letsItsUserAloneConnect() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
    }

    @Test
    void turnsAWrongTokenAway() {
        try (GuestStub guest = new GuestStub(socket, "wrong")) {
            StatusRuntimeException refused = catchThrowableOfType(StatusRuntimeException.class, () -> guest.call(OPEN));

            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
        assertThat(bench.hca.live()).isEmpty();
    }

    @Test
    void refusesMessagesBeyondItsLimit() {
        PostEntriesMessage large = PostEntriesMessage.newBuilder()
                .setEntries(ByteString.copyFrom(new byte[100_000]))
                .build();
        DataRequestMessage message =
                DataRequestMessage.newBuilder().setPostSend(large).build();
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class, () -> guest.device().exchange(message));

            assertThat(refused.getStatus().getCode()).isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
            assertThat(guest.call(OPEN)).isInstanceOf(ControlReply.ContextOpened.class);
        }
    }

    @Test
    void closesTheThirdConnection() {
        try (GuestStub first = new GuestStub(socket, TOKEN);
                GuestStub second = new GuestStub(socket, TOKEN);
                GuestStub third = new GuestStub(socket, TOKEN)) {
            first.call(new ControlRequest.QueryPort(0, 1));
            second.device().exchange(arm());

            assertThatThrownBy(() -> third.call(OPEN)).isInstanceOf(StatusRuntimeException.class);

            assertThat(session.rejections().of(RejectedAct.CONNECTION)).isPositive();
        }
    }

    @Test
    void closesConnectionsThatNeverSpeak() throws IOException {
        try (SocketChannel silent = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer buffer = ByteBuffer.allocate(1024);

            // The server may send its settings before it gives up.
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                buffer.clear();
                return silent.read(buffer) < 0;
            });
        }
    }

    @Test
    void takesNonsenseForAViolationAndTellsNothing() {
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> guest.device().call(ControlRequestMessage.getDefaultInstance()));

            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
            assertThat(refused.getStatus().getDescription()).isNull();
        }
        await().until(() -> violations.size() == 1);
    }

    @Test
    void streamsEvents() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        List<EventMessage> got = new CopyOnWriteArrayList<>();
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            guest.events().subscribe(SubscribeMessage.getDefaultInstance(), new Collector<>(got));

            session.events().completion(own.cq());
            session.events().async(own.context(), new AsyncEvent(AsyncEvent.Type.QP_FATAL, 77));

            await().until(() -> got.size() == 3);
            assertThat(got)
                    .anyMatch(event -> event.getCompletionCq() == own.cq())
                    .anyMatch(event -> event.getAsync().getNumber() == 77);
        }
    }

    @Test
    void keepsLittleForAReaderThatStopped() {
        List<EventMessage> got = new CopyOnWriteArrayList<>();
        Collector<EventMessage> stuck = new Collector<>(got) {
            @Override
            public void onNext(EventMessage event) {
                super.onNext(event);
                // Once, for each look of it takes its time.
                if (session.events().dropped() == 0) {
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> session.events().dropped() > 0);
                }
            }
        };
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            guest.events().subscribe(SubscribeMessage.getDefaultInstance(), stuck);

            AsyncEvent event = new AsyncEvent(AsyncEvent.Type.COMM_EST, 1);
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            session.events().async(1, event);
                        }
                        return session.events().dropped() > 0;
                    });

            assertThat(session.events().size()).isLessThanOrEqualTo(1024);
            await().atMost(Duration.ofSeconds(20)).until(() -> got.stream().anyMatch(EventMessage::getOverflow));
        }
    }

    @Test
    void refusesCompressedMessagesUnread() {
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> guest.device().withCompression("gzip").call(GuestStub.generated(1, OPEN)));

            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
            assertThat(bench.hca.live()).isEmpty();
            assertThat(guest.call(OPEN)).isInstanceOf(ControlReply.ContextOpened.class);
        }
    }

    @Test
    void closesAfterTooManyCallsThatComeToNothingAndServesAgain() {
        byte[] nonsense = new byte[] {(9 << 3) | 4};
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            await().atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        var _ = guest.raw(DeviceChannelGrpc.getCallMethod(), nonsense);
                        return session.rejections().of(RejectedAct.FLOOD) > 0;
                    });
        }

        assertThat(violations).isEmpty();
        awaitServed();
    }

    @Test
    void hasAThreadOfItsOwnAndEndsIt() throws IOException {
        Session other = bench.session(2, Map.of());
        String thread = "channel-2-" + other.name();
        DeviceServer another = servers.open(other, folder.resolve("other.sock"), 0, TOKEN);
        try (GuestStub guest = new GuestStub(folder.resolve("other.sock"), TOKEN)) {
            assertThat(guest.call(OPEN)).isInstanceOf(ControlReply.ContextOpened.class);
            assertThat(threads()).contains(thread);
        }

        another.close();

        await().until(() -> !threads().contains(thread));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }

    @Test
    void saysWhenASocketPathIsTooLong() {
        Path tooLong = folder.resolve("x".repeat(120)).resolve("device.sock");

        assertThatThrownBy(() -> servers.open(session, tooLong, 0, TOKEN))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at most 107");
    }

    private static DataRequestMessage arm() {
        return DataRequestMessage.newBuilder()
                .setConsumed(io.hyperverbs.vmm.io.wire.ConsumedMessage.newBuilder()
                        .setCq(1)
                        .setConsumerIndex(0))
                .build();
    }
}
