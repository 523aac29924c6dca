package io.hyperverbs.vmm.hypercall;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketListener;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PeerCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One end of a hypercall connection without the port: takes packets as the port does, and hands
 * over what was answered. The socket pair behind it serves all of them, one after the other.
 */
public final class ConnectionDoor {
    private static final byte[] END =
            HypercallReply.newBuilder().setMessage("the last one").build().toByteArray();
    private static PacketSocket vmmEnd;
    private static final BlockingQueue<Packet> ARRIVED = new LinkedBlockingQueue<>();

    private final HypercallConnection connection;

    /** A new connection. */
    public ConnectionDoor() {
        try {
            connection = new HypercallConnection(socket(), new PeerCredentials(1, 0, 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized PacketSocket socket() throws IOException {
        if (vmmEnd == null) {
            Path folder = Files.createTempDirectory("fuzz");
            Path path = folder.resolve("s");
            try (PacketListener listener = PacketListener.listen(path, 1)) {
                PacketSocket domainEnd = PacketSocket.connect(path);
                vmmEnd = listener.accept();
                Thread.ofPlatform().daemon().name("domain-end").start(() -> receive(domainEnd));
            } finally {
                Files.deleteIfExists(path);
                Files.deleteIfExists(folder);
            }
        }
        return vmmEnd;
    }

    private static void receive(PacketSocket domainEnd) {
        try {
            for (Packet packet = domainEnd.receive(); packet != null; packet = domainEnd.receive()) {
                ARRIVED.add(packet);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For the service. */
    public HypercallConnection connection() {
        return connection;
    }

    /** A packet came in: counted and parsed, as the port does it. */
    public HypercallRequest arrived(byte[] packet) throws InvalidProtocolBufferException {
        return connection.callStarted(packet);
    }

    /** A reply and how many descriptors came with it. */
    public record Answer(HypercallReply reply, int descriptors) {}

    /** Ends the connection; all that was answered. */
    public List<Answer> end() {
        connection.endAfterReplies();
        connection.writeReplies();
        List<Answer> answers = new ArrayList<>();
        try {
            socket().send(END, List.of());
            for (Packet packet = ARRIVED.take(); ; packet = ARRIVED.take()) {
                HypercallReply reply = HypercallReply.parseFrom(packet.bytes());
                int descriptors = packet.descriptors().size();
                packet.discard();
                if (Arrays.equals(packet.bytes(), END)) {
                    return answers;
                }
                answers.add(new Answer(reply, descriptors));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
