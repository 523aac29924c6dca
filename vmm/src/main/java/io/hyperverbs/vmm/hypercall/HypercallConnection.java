package io.hyperverbs.vmm.hypercall;

import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.HypercallRequest;
import io.hyperverbs.vmm.io.ProtocolViolation;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.PeerCredentials;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The VMM's end of a domain's hypercall connection. Replies may come from any thread, and are sent
 * by it if that needs no waiting; else they go through a queue to a writer thread of this
 * connection, so a domain that does not read holds up nobody. The queue is bounded, as every reply
 * belongs to one of a bounded number of calls.
 */
public final class HypercallConnection {
    /** A reply on its way; no bytes: the end. */
    private static final class Outgoing {
        final byte[] bytes;
        final List<Fd> descriptors;

        Outgoing(byte[] bytes, List<Fd> descriptors) {
            this.bytes = bytes;
            this.descriptors = descriptors;
        }

        boolean isEnd() {
            return bytes.length == 0;
        }

        void discard() {
            descriptors.forEach(Fd::close);
        }
    }

    private static final Outgoing END = new Outgoing(new byte[0], List.of());

    private final PacketSocket socket;
    private final PeerCredentials peer;
    private final LinkedBlockingQueue<Outgoing> replies = new LinkedBlockingQueue<>();
    private final AtomicInteger pendingCalls = new AtomicInteger();
    private boolean ended;

    HypercallConnection(PacketSocket socket, PeerCredentials peer) {
        this.socket = socket;
        this.peer = peer;
    }

    /** The process that connected. */
    public PeerCredentials peer() {
        return peer;
    }

    PacketSocket socket() {
        return socket;
    }

    /**
     * A call that came in, read and counted.
     *
     * @throws ProtocolViolation above {@link HypercallPort#MAX_PENDING_CALLS}, of which those whose
     *     answer is being sent are none any more, and for a call without a number: its answer could
     *     be a message of no bytes, which is none
     */
    HypercallRequest callStarted(byte[] packet) throws InvalidProtocolBufferException {
        if (pendingCalls.incrementAndGet() > HypercallPort.MAX_PENDING_CALLS) {
            throw new ProtocolViolation("more than " + HypercallPort.MAX_PENDING_CALLS + " calls at a time");
        }
        HypercallRequest request = HypercallRequest.parseFrom(packet);
        if (request.getId() == 0) {
            throw new ProtocolViolation("call without a number");
        }
        return request;
    }

    /** Answers a call with success and nothing more. */
    public void done(long id) {
        reply(HypercallReply.newBuilder().setId(id), List.of());
    }

    /** Answers a call with a status and why. */
    public void refuse(long id, VerbsStatus status, String message) {
        reply(HypercallReply.newBuilder().setId(id).setStatus(status.code()).setMessage(message), List.of());
    }

    /**
     * Answers a call.
     *
     * @param descriptors closed once they are sent
     */
    public void reply(HypercallReply.Builder reply, List<Fd> descriptors) {
        Outgoing outgoing = new Outgoing(reply.build().toByteArray(), List.copyOf(descriptors));
        synchronized (replies) {
            if (!ended) {
                if (!replies.isEmpty() || !isSentAtOnce(outgoing)) {
                    replies.add(outgoing);
                    return;
                }
            }
        }
        outgoing.discard();
    }

    private boolean isSentAtOnce(Outgoing reply) {
        // Before the answer is sent: its receiver may call again at once.
        pendingCalls.decrementAndGet();
        boolean sent = false;
        try {
            sent = socket.trySend(reply.bytes, reply.descriptors);
        } catch (PosixException e) {
            // The writer meets it again, and ends the connection.
        } finally {
            if (!sent) {
                pendingCalls.incrementAndGet();
            }
        }
        return sent;
    }

    private void send(Outgoing reply) throws PosixException {
        // Before the answer is sent: its receiver may call again at once.
        pendingCalls.decrementAndGet();
        try {
            socket.send(reply.bytes, reply.descriptors);
        } finally {
            reply.discard();
        }
    }

    /** Sends what could not be sent at once, for a connection without a writer thread. */
    void sendReplies() {
        for (Outgoing next = replies.poll(); next != null; next = replies.poll()) {
            try {
                send(next);
            } catch (PosixException e) {
                // The reader sees it, and ends the connection.
                socket.shutdown();
            }
        }
    }

    /** The writer thread's work, until {@link #end}. */
    void writeReplies() {
        try {
            for (Outgoing next = replies.take(); !next.isEnd(); next = replies.take()) {
                send(next);
            }
        } catch (PosixException | RuntimeException | Error e) {
            // The reader sees it, and ends the connection: nobody would answer any more.
            socket.shutdown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing is sent any more but what waits to be. */
    void endAfterReplies() {
        synchronized (replies) {
            ended = true;
            replies.add(END);
        }
    }

    /** Nothing is sent any more. */
    void end() {
        List<Outgoing> unsent = new ArrayList<>();
        synchronized (replies) {
            ended = true;
            replies.drainTo(unsent);
            replies.add(END);
        }
        unsent.forEach(Outgoing::discard);
    }
}
