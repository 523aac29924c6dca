package io.hyperverbs.vmm.hypercall;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.posix.Errno;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The domain's end of the hypercall socket: sends requests from any thread, and one reader thread
 * gives each reply to the call with its id.
 */
final class HypercallChannel implements AutoCloseable {
    /** A reply with its descriptors, which are the caller's to close. */
    record Answer(HypercallReply reply, List<Fd> descriptors) {
        /** The one descriptor; ENOMEM if this process had no room for it. */
        Fd descriptor() throws HypercallException {
            if (descriptors.isEmpty()) {
                throw new HypercallException(VerbsStatus.ENOMEM, "out of descriptors");
            }
            return descriptors.getFirst();
        }
    }

    private final PacketSocket socket;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, CompletableFuture<Answer>> pending = new ConcurrentHashMap<>();
    private final Semaphore room = new Semaphore(HypercallPort.MAX_PENDING_CALLS);
    private volatile Runnable vmmGone = () -> Runtime.getRuntime().halt(1);
    private volatile boolean closed;
    private volatile boolean ended;

    private HypercallChannel(PacketSocket socket) {
        this.socket = socket;
    }

    static HypercallChannel connect(Path path) throws PosixException {
        HypercallChannel channel = new HypercallChannel(PacketSocket.connect(path));
        Thread.ofPlatform().daemon().name("hypercall-reader").start(channel::readReplies);
        return channel;
    }

    void onVmmGone(Runnable action) {
        vmmGone = action;
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @throws HypercallException what the VMM refused with; EIO if it is gone, EINTR if this thread
     *     was interrupted
     */
    Answer call(HypercallRequest.Builder request) throws HypercallException {
        try {
            room.acquire();
            try {
                return answered(transact(request));
            } finally {
                room.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HypercallException(VerbsStatus.EINTR, "interrupted in a hypercall");
        }
    }

    static Answer answered(Answer answer) throws HypercallException {
        VerbsStatus status = VerbsStatus.of(answer.reply().getStatus());
        if (status != VerbsStatus.SUCCESS) {
            answer.descriptors().forEach(Fd::close);
            throw new HypercallException(status, answer.reply().getMessage());
        }
        return answer;
    }

    private Answer transact(HypercallRequest.Builder request) throws HypercallException, InterruptedException {
        long id = lastId.incrementAndGet();
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        pending.put(id, reply);
        try {
            if (ended) {
                throw gone();
            }
            send(socket, request.setId(id).build().toByteArray());
            return reply.get();
        } catch (ExecutionException e) {
            throw gone();
        } finally {
            pending.remove(id);
            // If we gave up waiting, the reader closes the descriptors that come.
            reply.cancel(false);
        }
    }

    /**
     * Sends a request.
     *
     * @throws HypercallException ENOMEM if this computer is short of room, EINVAL for a request that is too long, EIO
     *     if the VMM is gone; nothing was sent then
     */
    static void send(PacketSocket socket, byte[] request) throws HypercallException {
        try {
            socket.send(request, List.of());
        } catch (PosixException e) {
            if (e.isShortage()) {
                throw new HypercallException(VerbsStatus.ENOMEM, e.getMessage());
            }
            throw e.errno() == Errno.EMSGSIZE
                    ? new HypercallException(VerbsStatus.EINVAL, "request is too long")
                    : gone();
        }
    }

    static HypercallException gone() {
        return new HypercallException(VerbsStatus.EIO, "the VMM is gone");
    }

    /**
     * Takes the reader out of the kernel, where it waits: a JVM that ends waits 300 ms for it there. Calls go on as
     * before, up to a millisecond slower. Does not wait for the VMM.
     *
     * @param question whose answer ends the reader's last wait in the kernel; nobody gets it
     */
    void prepareForEnd(HypercallRequest.Builder question) {
        socket.waitInJava();
        // Where there is no room for a call, answers are on their way.
        if (!room.tryAcquire()) {
            return;
        }
        try {
            boolean _ = socket.trySend(
                    question.setId(lastId.incrementAndGet()).build().toByteArray(), List.of());
        } catch (PosixException e) {
            // The end takes those 300 ms.
        }
    }

    private void readReplies() {
        try (socket) {
            for (Packet packet = socket.receive(); packet != null; packet = socket.receive()) {
                deliver(packet);
            }
        } catch (IOException e) {
            // The VMM is trusted, so this is its end as well.
        } finally {
            ended = true;
            IOException end = new IOException("connection ended");
            pending.values().forEach(reply -> reply.completeExceptionally(end));
            if (!closed) {
                vmmGone.run();
            }
        }
    }

    private void deliver(Packet packet) throws InvalidProtocolBufferException {
        HypercallReply reply = HypercallReply.parseFrom(packet.bytes());
        @Nullable CompletableFuture<Answer> caller = pending.remove(reply.getId());
        if (caller == null || !caller.complete(new Answer(reply, packet.descriptors()))) {
            packet.discard();
        }
    }

    @Override
    public void close() {
        closed = true;
        socket.shutdown();
    }
}
