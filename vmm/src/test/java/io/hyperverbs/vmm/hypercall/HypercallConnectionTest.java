package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replies that the socket has no room for, as the domain does not read. */
class HypercallConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Several times what a socket holds. */
    private static final int REPLIES = 2_000;

    private static final String WORDS = "x".repeat(1_000);

    private PacketSocket own;
    private PacketSocket domain;
    private HypercallConnection connection;

    @BeforeEach
    void connect() throws Exception {
        PacketSocket.Pair pair = PacketSocket.pair();
        own = pair.own();
        domain = PacketSocket.of(pair.other());
        connection = new HypercallConnection(own, own.peer());
    }

    @AfterEach
    void close() {
        connection.end();
        own.close();
        domain.close();
    }

    private void replyToAll() {
        for (int id = 1; id <= REPLIES; id++) {
            connection.reply(HypercallReply.newBuilder().setId(id).setMessage(WORDS), List.of());
        }
    }

    private void expectAll() throws Exception {
        for (int id = 1; id <= REPLIES; id++) {
            Packet packet = domain.receive();
            assertThat(packet).isNotNull();
            assertThat(HypercallReply.parseFrom(packet.bytes()).getId()).isEqualTo(id);
        }
    }

    @Test
    void theWriterSendsThemInOrder() throws Exception {
        replyToAll();
        Thread writer = Thread.ofPlatform().start(connection::writeReplies);

        expectAll();
        connection.endAfterReplies();

        assertThat(writer.join(LONG)).isTrue();
    }

    @Test
    void withoutAWriterTheServingThreadSendsThem() throws Exception {
        replyToAll();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(connection::sendReplies);

        expectAll();

        sending.get();
    }

    @Test
    void theConnectionEndsIfTheyCannotBeSent() throws Exception {
        replyToAll();
        domain.close();
        Thread writer = Thread.ofPlatform().start(connection::writeReplies);

        assertThat(writer.join(LONG)).isTrue();
        assertThat(isEnded()).isTrue();
    }

    @Test
    void withoutAWriterItEndsToo() throws Exception {
        domain.close();
        // Not even the first is sent; who gave it is not told.
        connection.done(1);
        connection.sendReplies();

        assertThat(isEnded()).isTrue();
    }

    private boolean isEnded() {
        try {
            return own.receive() == null;
        } catch (PosixException e) {
            // Reset, with what was not read.
            return true;
        }
    }

    @Test
    void aWriterThatIsInterruptedEnds() throws Exception {
        Thread writer = Thread.ofPlatform().start(connection::writeReplies);
        writer.interrupt();

        assertThat(writer.join(LONG)).isTrue();
    }

    @Test
    void afterTheEndNothingIsSent() throws Exception {
        connection.end();
        connection.done(1);
        own.shutdown();

        assertThat(domain.receive()).isNull();
    }
}
