package io.hyperverbs.vmm.hypercall;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketListener;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PeerCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A domain whose calls go to a service on the test's thread; its replies cross a real socket. */
public final class DirectCaller implements AutoCloseable {
    private static final long END = Long.MAX_VALUE;

    private final PacketSocket vmmEnd;
    private final PacketSocket domainEnd;
    private final HypercallConnection connection;
    private final Thread writer;
    private int descriptors;
    private long lastId;

    /** Makes its socket in {@code folder} for a moment. */
    public DirectCaller(Path folder) throws IOException {
        Path path = folder.resolve("direct");
        try (PacketListener listener = PacketListener.listen(path, 1)) {
            domainEnd = PacketSocket.connect(path);
            vmmEnd = listener.accept();
        } finally {
            java.nio.file.Files.deleteIfExists(path);
        }
        connection = new HypercallConnection(vmmEnd, new PeerCredentials(77, 0, 0));
        writer = Thread.ofPlatform().daemon().start(connection::writeReplies);
    }

    public HypercallConnection connection() {
        return connection;
    }

    /** Lets {@code service} serve a call that is answered at once, and once. */
    public HypercallReply call(HypercallService service, HypercallRequest.Builder call) throws IOException {
        long id = send(service, call);
        connection.reply(HypercallReply.newBuilder().setId(END), List.of());
        HypercallReply reply = next();
        assertThat(reply.getId()).isEqualTo(id);
        int with = descriptors;
        assertThat(next().getId()).isEqualTo(END);
        descriptors = with;
        return reply;
    }

    /** Lets {@code service} serve a call that may wait; its number. */
    public long send(HypercallService service, HypercallRequest.Builder call) throws IOException {
        HypercallRequest request =
                connection.callStarted(call.setId(++lastId).build().toByteArray());
        service.serve(request, connection);
        return lastId;
    }

    /** The next reply. */
    public HypercallReply next() throws IOException {
        Packet packet = domainEnd.receive();
        assertThat(packet).isNotNull();
        descriptors = packet.descriptors().size();
        HypercallReply reply = HypercallReply.parseFrom(packet.bytes());
        packet.discard();
        return reply;
    }

    /** How many came with the last reply. */
    public int descriptors() {
        return descriptors;
    }

    @Override
    public void close() throws IOException {
        connection.end();
        connection.reply(HypercallReply.newBuilder().setId(1), List.of());
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        vmmEnd.close();
        assertThat(domainEnd.receive()).isNull();
        domainEnd.close();
    }
}
