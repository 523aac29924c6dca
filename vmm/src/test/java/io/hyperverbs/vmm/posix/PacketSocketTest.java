package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Timeout(20)
@Isolated("descriptors of this process are counted")
class PacketSocketTest {
    @TempDir
    Path folder;

    private PacketListener listener;
    private PacketSocket client;
    private PacketSocket server;

    @BeforeEach
    void connect() throws IOException {
        Path path = folder.resolve("socket");
        listener = PacketListener.listen(path, 1);
        client = PacketSocket.connect(path);
        server = listener.accept();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        listener.close();
    }

    @Test
    void carriesDescriptorsInOrder() throws Exception {
        try (Fd first = Memfd.create("first", 4096, false);
                Fd second = Memfd.create("second", 4096, false);
                Arena arena = Arena.ofShared()) {
            MemoryMap.map(first, 4096, false, arena).set(JAVA_LONG, 0, 1);
            MemoryMap.map(second, 4096, false, arena).set(JAVA_LONG, 0, 2);

            server.send(new byte[] {9}, List.of(first, second));

            Packet packet = client.receive();
            assertThat(packet.bytes()).containsExactly(9);
            assertThat(packet.descriptors()).hasSize(2);
            for (int i = 0; i < 2; i++) {
                assertThat(MemoryMap.map(packet.descriptors().get(i), 4096, true, arena)
                                .get(JAVA_LONG, 0))
                        .isEqualTo(i + 1);
            }
            packet.discard();
        }
    }

    @Test
    void keepsMessageBordersAtFullLength() throws Exception {
        byte[] longest = new byte[PacketSocket.MAX_PACKET_BYTES];
        longest[longest.length - 1] = 5;

        server.send(longest, List.of());
        server.send(new byte[] {1}, List.of());

        assertThat(client.receive().bytes()).isEqualTo(longest);
        assertThat(client.receive().bytes()).hasSize(1);
    }

    @Test
    void sendsWithoutWaitingUntilThePeerHasToRead() throws Exception {
        byte[] packet = new byte[4096];
        int sent = 0;
        while (server.trySend(packet, List.of())) {
            sent++;
        }

        assertThat(sent).isPositive();
        for (int i = 0; i < sent; i++) {
            assertThat(client.receive().bytes()).hasSize(packet.length);
        }
        assertThat(server.trySend(packet, List.of())).isTrue();
    }

    @Test
    void pairIsOneConnection() throws Exception {
        PacketSocket.Pair pair = PacketSocket.pair();
        try (PacketSocket own = pair.own();
                PacketSocket other = PacketSocket.of(pair.other());
                Fd memfd = Memfd.create("test", 4096, false)) {
            own.send(new byte[] {3}, List.of(memfd));
            other.send(new byte[] {4}, List.of());

            Packet packet = other.receive();
            assertThat(packet.bytes()).containsExactly(3);
            assertThat(packet.descriptors()).hasSize(1);
            packet.discard();
            assertThat(own.receive().bytes()).containsExactly(4);
        }
    }

    @Test
    void refusesToSendTooMuch() {
        byte[] tooLong = new byte[PacketSocket.MAX_PACKET_BYTES + 1];

        assertThatThrownBy(() -> server.send(tooLong, List.of()))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EMSGSIZE));
    }

    @Test
    void acceptedSocketTakesNoDescriptors() throws Exception {
        try (Fd memfd = Memfd.create("test", 4096, false)) {
            client.send(new byte[] {1}, List.of(memfd));
            long before = openDescriptors();

            assertThatThrownBy(() -> server.receive())
                    .isInstanceOfSatisfying(
                            PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EMSGSIZE));
            assertThat(openDescriptors()).isEqualTo(before);
        }
    }

    @Test
    void shutdownWakesBlockedReceive() throws Exception {
        CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(() -> {
            try {
                return client.receive() == null;
            } catch (PosixException e) {
                throw new UncheckedIOException(e);
            }
        });

        client.shutdown();

        assertThat(ended.get()).isTrue();
    }

    @Test
    void receiverMayWaitInJava() throws Exception {
        server.waitInJava();
        LinkedBlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        Thread receiver = Thread.ofPlatform().start(() -> {
            try {
                for (Packet packet = server.receive(); packet != null; packet = server.receive()) {
                    received.add(packet.bytes());
                }
                received.add(new byte[0]);
            } catch (PosixException e) {
                throw new UncheckedIOException(e);
            }
        });

        await().until(() -> receiver.getState() == Thread.State.TIMED_WAITING);
        client.send(new byte[] {7}, List.of());
        assertThat(received.poll(10, TimeUnit.SECONDS)).containsExactly(7);
        client.shutdown();
        assertThat(received.poll(10, TimeUnit.SECONDS)).isEmpty();
        receiver.join();
    }

    @Test
    void shutdownWakesBlockedAccept() throws Exception {
        CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(() -> {
            try {
                return listener.accept() == null;
            } catch (PosixException e) {
                throw new UncheckedIOException(e);
            }
        });

        listener.shutdown();

        assertThat(ended.get()).isTrue();
    }

    @Test
    void sendFailsOnceThePeerIsGone() {
        client.close();

        assertThatThrownBy(() -> server.send(new byte[] {1}, List.of()))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPIPE));
    }

    @Test
    void knowsItsPeer() throws Exception {
        assertThat(server.peer().pid()).isEqualTo((int) ProcessHandle.current().pid());
    }

    @Test
    void refusesPathThatIsTooLong() {
        Path path = folder.resolve("x".repeat(108));

        assertThatThrownBy(() -> PacketListener.listen(path, 1)).hasMessageContaining("at most 107");
    }

    static long openDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }
}
