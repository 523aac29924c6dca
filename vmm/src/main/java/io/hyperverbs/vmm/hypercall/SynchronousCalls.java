package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.hypercall.HypercallChannel.Answer;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The domain's end of a {@link SynchronousPort}. Any thread; one call at a time. A call cannot be
 * interrupted: the VMM answers it at once, or is gone.
 */
final class SynchronousCalls implements AutoCloseable {
    private final PacketSocket socket;
    private final ReentrantLock turn = new ReentrantLock();
    private long lastId;
    private boolean ended;

    /** {@code connected} belongs to it from now on. */
    SynchronousCalls(Fd connected) {
        this.socket = PacketSocket.of(connected);
    }

    /**
     * Sends a request and reads its answer.
     *
     * @return null if another thread's call is under way: this one has to go another way
     * @throws HypercallException what the VMM refused with; EIO if it is gone
     */
    @Nullable
    Answer tryCall(HypercallRequest.Builder request) throws HypercallException {
        if (!turn.tryLock()) {
            return null;
        }
        try {
            return HypercallChannel.answered(transact(request));
        } finally {
            turn.unlock();
        }
    }

    private Answer transact(HypercallRequest.Builder request) throws HypercallException {
        if (ended) {
            throw HypercallChannel.gone();
        }
        byte[] message = request.setId(++lastId).build().toByteArray();
        try {
            HypercallChannel.send(socket, message);
            Packet packet = socket.receive();
            if (packet != null) {
                return new Answer(HypercallReply.parseFrom(packet.bytes()), packet.descriptors());
            }
        } catch (IOException e) {
            // The VMM is trusted, so this is its end as well.
        }
        ended = true;
        throw HypercallChannel.gone();
    }

    /** Ends the connection. */
    @Override
    public void close() {
        socket.shutdown();
        turn.lock();
        try {
            ended = true;
            socket.close();
        } finally {
            turn.unlock();
        }
    }
}
