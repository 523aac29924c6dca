package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.BootReply;
import io.hyperverbs.vmm.hypercall.wire.HelloCall;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.hypercall.wire.NativeExitedCall;
import io.hyperverbs.vmm.hypercall.wire.ReadyCall;
import io.hyperverbs.vmm.hypercall.wire.StoreReadCall;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class HypercallPortTest {
    private static final byte[] TOKEN = {1, 2, 3};

    @TempDir
    Path folder;

    private final AtomicInteger lost = new AtomicInteger();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private Path path;
    private HypercallPort port;

    @BeforeEach
    void open() throws IOException {
        path = folder.resolve("socket");
        port = HypercallPort.open("a", path, TOKEN, new Service());
    }

    @AfterEach
    void close() {
        port.close();
    }

    /** Answers all but waits for the store, which it holds for ever. */
    private final class Service implements HypercallService {
        @Override
        public void serve(HypercallRequest request, HypercallConnection caller) {
            switch (request.getCallCase()) {
                case HELLO ->
                    caller.reply(
                            HypercallReply.newBuilder()
                                    .setId(request.getId())
                                    .setBoot(BootReply.newBuilder().setName("a")),
                            List.of());
                case STORE_READ -> {
                    // All others wait for ever.
                    if (request.getStoreRead().getPath().equals("domain/a/end")) {
                        caller.done(request.getId());
                    }
                }
                case NATIVE_EXITED -> throw new InternalError("planted");
                default -> caller.done(request.getId());
            }
        }

        @Override
        public void failed(Throwable failure) {
            failures.add(failure);
        }

        @Override
        public void connectionLost(HypercallConnection caller) {
            lost.incrementAndGet();
        }
    }

    @Test
    void whatCannotBeServedIsSaidOnceAndEndsTheConnection() throws Exception {
        try (PacketSocket socket = greeted()) {
            socket.send(
                    HypercallRequest.newBuilder()
                            .setId(2)
                            .setNativeExited(NativeExitedCall.getDefaultInstance())
                            .build()
                            .toByteArray(),
                    List.of());

            assertThat(socket.receive()).isNull();
            assertThat(failures.poll(10, TimeUnit.SECONDS)).hasMessage("planted");
            assertThat(failures).isEmpty();
            assertThat(lost).hasValue(1);
        }
    }

    private PacketSocket greeted() throws IOException {
        PacketSocket socket = PacketSocket.connect(path);
        socket.send(hello(TOKEN), List.of());
        assertThat(socket.receive()).isNotNull();
        return socket;
    }

    private static byte[] hello(byte[] token) {
        return HypercallRequest.newBuilder()
                .setId(1)
                .setHello(HelloCall.newBuilder().setToken(ByteString.copyFrom(token)))
                .build()
                .toByteArray();
    }

    @Test
    void waitingCallHoldsUpNoOther() throws Exception {
        HypercallClient client = HypercallClient.connect(path, HexFormat.of().formatHex(TOKEN));
        client.onVmmGone(() -> {});
        CompletableFuture<VerbsStatus> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                client.storeRead("domain/b/never", Duration.ofHours(1));
                return VerbsStatus.SUCCESS;
            } catch (HypercallException e) {
                return e.status();
            }
        });

        for (int i = 0; i < 100; i++) {
            client.ready();
        }

        assertThat(waiting).isNotDone();
        port.close();
        assertThat(waiting.get()).isEqualTo(VerbsStatus.EIO);
        client.close();
    }

    @Test
    void aDomainThatEndsHasNoThreadInTheKernel() throws Exception {
        HypercallClient client = HypercallClient.connect(path, HexFormat.of().formatHex(TOKEN));
        client.onVmmGone(() -> {});
        Thread reader = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("hypercall-reader"))
                .findFirst()
                .orElseThrow();

        client.prepareForEnd();

        await().until(() -> reader.getState() == Thread.State.TIMED_WAITING);
        client.ready();
        client.close();
        reader.join();
    }

    @Test
    void refusesWrongTokenAndStillServesTheDomain() throws Exception {
        assertThatThrownBy(() -> HypercallClient.connect(path, "ffff"))
                .isInstanceOfSatisfying(
                        HypercallException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EPERM));

        HypercallClient client = HypercallClient.connect(path, HexFormat.of().formatHex(TOKEN));
        assertThat(client.boot().name()).isEqualTo("a");
        client.close();
    }

    @Test
    void answersNoCallBeforeTheGreeting() throws Exception {
        try (PacketSocket stranger = PacketSocket.connect(path)) {
            stranger.send(ready(7), List.of());

            assertRefused(stranger, 7);
        }
        assertThat(lost).hasValue(0);
        greeted().close();
    }

    @Test
    void servesTheDomainAfterOneThatSaidNothingAndOneThatSaidGarbage() throws Exception {
        PacketSocket.connect(path).close();
        try (PacketSocket stranger = PacketSocket.connect(path)) {
            stranger.send(new byte[] {-1, -1, -1}, List.of());

            assertThat(stranger.receive()).isNull();
        }
        assertThat(lost).hasValue(0);
        greeted().close();
    }

    @Test
    void hearsSixteenStrangersAndThenNobody() throws Exception {
        for (int i = 0; i < 16; i++) {
            try (PacketSocket stranger = PacketSocket.connect(path)) {
                stranger.send(hello(new byte[] {(byte) i}), List.of());

                assertRefused(stranger, 1);
            }
        }

        await().atMost(Duration.ofSeconds(10)).until(this::refusesConnections);
        assertThat(lost).hasValue(0);
    }

    /** The last answer of a connection is that the token is wrong. */
    private static void assertRefused(PacketSocket stranger, long id) throws IOException {
        HypercallReply reply = HypercallReply.parseFrom(stranger.receive().bytes());
        assertThat(reply.getId()).isEqualTo(id);
        assertThat(reply.getStatus()).isEqualTo(VerbsStatus.EPERM.code());
        assertThat(reply.hasBoot()).isFalse();
        assertThat(stranger.receive()).isNull();
    }

    @Test
    void leavesNothingWhenItIsClosedBeforeAnybodyCame() throws Exception {
        Path lonely = folder.resolve("lonely");
        HypercallPort closed = HypercallPort.open("lonely", lonely, TOKEN, new Service());

        closed.close();

        assertThat(lonely).doesNotExist();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(t -> t.getName().equals("hypercalls-lonely")));
        assertThat(lost).hasValue(0);
    }

    @Test
    void tellsWhenTheVmmIsGone() throws Exception {
        HypercallClient client = HypercallClient.connect(path, HexFormat.of().formatHex(TOKEN));
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        client.onVmmGone(() -> gone.complete(true));

        port.close();

        assertThat(gone.get()).isTrue();
        client.close();
    }

    @Test
    void closesConnectionThatSendsGarbage() throws Exception {
        Random random = new Random(42);
        try (PacketSocket socket = greeted()) {
            byte[] garbage = new byte[500];
            random.nextBytes(garbage);
            socket.send(garbage, List.of());

            assertThat(socket.receive()).isNull();
        }
        await().until(() -> lost.get() == 1);
    }

    /** The answer to it would have been a message of no bytes, and the last that it got. */
    @Test
    void closesConnectionThatCallsWithoutNumber() throws Exception {
        try (PacketSocket socket = greeted()) {
            socket.send(ready(0), List.of());

            assertThat(socket.receive()).isNull();
        }
    }

    @Test
    void closesConnectionThatGreetsTwice() throws Exception {
        try (PacketSocket socket = greeted()) {
            socket.send(hello(TOKEN), List.of());

            assertThat(socket.receive()).isNull();
        }
    }

    @Test
    void closesConnectionThatPassesDescriptors() throws Exception {
        try (PacketSocket socket = greeted();
                Fd memfd = Memfd.create("test", 4096, false)) {
            socket.send(ready(2), List.of(memfd));

            assertThat(socket.receive()).isNull();
        }
    }

    @Test
    void closesConnectionWithTooManyPendingCalls() throws Exception {
        try (PacketSocket socket = greeted()) {
            byte[] read = HypercallRequest.newBuilder()
                    .setId(9)
                    .setStoreRead(StoreReadCall.getDefaultInstance())
                    .build()
                    .toByteArray();
            for (int i = 0; i <= HypercallPort.MAX_PENDING_CALLS; i++) {
                socket.send(read, List.of());
            }

            assertThat(socket.receive()).isNull();
        }
    }

    @Test
    void servesAllCallsThatMayWaitAtATimeAgainAndAgain() throws Exception {
        HypercallClient client = HypercallClient.connect(path, HexFormat.of().formatHex(TOKEN));
        client.onVmmGone(() -> {});
        AtomicInteger left = new AtomicInteger(100_000);
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(HypercallPort.MAX_PENDING_CALLS)) {
            for (int i = 0; i < HypercallPort.MAX_PENDING_CALLS; i++) {
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                while (left.getAndDecrement() > 0) {
                                    client.ready();
                                }
                            } catch (HypercallException e) {
                                throw new CompletionException(e);
                            }
                        },
                        threads));
            }
            CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();
        }

        assertThat(lost).hasValue(0);
        client.close();
    }

    @Test
    void repliesAreSentByTheThreadThatGivesThem() throws Exception {
        PacketSocket.Pair pair = PacketSocket.pair();
        try (PacketSocket own = pair.own();
                PacketSocket domain = PacketSocket.of(pair.other())) {
            // No writer thread: what were left to one would never come.
            HypercallConnection connection = new HypercallConnection(own, own.peer());
            var _ = connection.callStarted(ready(2));

            connection.done(2);

            assertThat(HypercallReply.parseFrom(domain.receive().bytes()).getId())
                    .isEqualTo(2);
        }
    }

    @Test
    void repliesToDomainThatDoesNotReadBlockNobody() throws Exception {
        try (PacketSocket socket = greeted()) {
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 2; i < 100_000; i++) {
                        socket.send(ready(i), List.of());
                    }
                } catch (IOException e) {
                    // Closed for not reading, as it should be.
                }
            });

            await().atMost(Duration.ofSeconds(20)).until(() -> lost.get() == 1);
            end.get();
        }
    }

    @Test
    void hearsNobodyAfterItsDomain() throws Exception {
        try (PacketSocket socket = greeted()) {
            // The port stops listening once it has heard its domain, a moment after the answer.
            await().atMost(Duration.ofSeconds(10)).until(this::refusesConnections);

            socket.send(ready(2), List.of());
            Packet reply = socket.receive();
            assertThat(HypercallReply.parseFrom(reply.bytes()).getId()).isEqualTo(2);
        }
    }

    private boolean refusesConnections() {
        try (PacketSocket _ = PacketSocket.connect(path)) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static byte[] ready(long id) {
        return HypercallRequest.newBuilder()
                .setId(id)
                .setReady(ReadyCall.getDefaultInstance())
                .build()
                .toByteArray();
    }
}
