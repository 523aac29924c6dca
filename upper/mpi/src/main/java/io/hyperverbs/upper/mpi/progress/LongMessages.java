package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.frame.FrameHeader;
import io.hyperverbs.upper.mpi.frame.FrameLayout;
import io.hyperverbs.upper.mpi.link.PeerLink;
import io.hyperverbs.upper.mpi.link.RankLinks;
import io.hyperverbs.upper.mpi.match.Envelope;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.RegistrationCache;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are offered first. Where both buffers are RAM of their domains the receiver reads the sender's by RDMA,
 * without a copy, and says when it has finished, or has the sender write ({@link LongTransfer}); registrations are kept for
 * the next message. Else it says that the data may come, which goes through the ring in parts. One thread.
 */
final class LongMessages {
    private static final Set<Access> READABLE = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);

    /** Readable too, as a program may send what it has received. */
    private static final Set<Access> WRITABLE = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);

    private final RegistrationCache registrations;
    private final RamBuffers buffers;
    private final IntFunction<OutgoingQueue> outboxes;

    /** Offered, and not finished; by request. */
    private final Map<Long, SendOperation> sends = new HashMap<>();

    /** Whose data comes in parts; by request. */
    private final Map<Long, ReceiveOperation> receives = new HashMap<>();

    /** That their senders write; by request. */
    private final Map<Long, Written> writes = new HashMap<>();

    private long lastRequest;

    private record Written(ReceiveOperation receive, Envelope envelope, RegistrationCache.Lease lease) {}

    LongMessages(RankLinks links, RamBuffers buffers, IntFunction<OutgoingQueue> outboxes) throws MpiError {
        this.buffers = buffers;
        this.outboxes = outboxes;
        try {
            this.registrations = links.pd().createRegistrationCache();
        } catch (VerbsException e) {
            throw new MpiError(ErrorClass.OTHER, "no cache of registrations: " + e.getMessage());
        }
    }

    /** Offers a message to its receiver. */
    void offer(int to, int context, int tag, SendOperation send) throws MpiError {
        long request = ++lastRequest;
        sends.put(request, send);
        Optional<RegistrationCache.Lease> lease = register(send.data(), READABLE);
        int rkey = 0;
        long address = 0;
        if (lease.isPresent()) {
            send.keep(lease.get());
            rkey = lease.get().rkey();
            address = lease.get().address();
        }
        FrameHeader header = FrameHeader.requestToSend(context, tag, send.data().byteSize(), rkey, request);
        MemorySegment payload = FrameLayout.addressPayload(address);
        outboxes.apply(to).send(link -> link.trySend(header, payload, 0, Long.BYTES));
    }

    /** Gets an offered message into the buffer of the receive that takes it. */
    void take(ReceiveOperation receive, Envelope envelope, Waiting.Offered offered) throws MpiError {
        OutgoingQueue outbox = outboxes.apply(offered.from().rank());
        long bytes = receive.fitting(envelope);
        boolean isWritten = LongTransfer.chosen() == LongTransfer.WRITE;
        Optional<RegistrationCache.Lease> lease = offered.rkey() == 0 || bytes == 0
                ? Optional.empty()
                : register(receive.data().asSlice(0, bytes), isWritten ? WRITABLE : READABLE);
        if (lease.isPresent()) {
            if (isWritten) {
                awaitWrite(offered, new Written(receive, envelope, lease.get()));
            } else {
                read(receive, envelope, offered, lease.get());
            }
            return;
        }
        receive.match(envelope);
        long request = ++lastRequest;
        if (envelope.bytes() == 0) {
            receive.endAs(envelope);
        } else {
            receives.put(request, receive);
        }
        FrameHeader clear = FrameHeader.clearToSend(offered.request(), request);
        outbox.send(link -> link.trySend(clear, MemorySegment.NULL, 0, 0));
    }

    private void read(
            ReceiveOperation receive, Envelope envelope, Waiting.Offered offered, RegistrationCache.Lease lease)
            throws MpiError {
        OutgoingQueue outbox = outboxes.apply(offered.from().rank());
        FrameHeader finished = FrameHeader.finished(offered.request());
        int bytes = Math.toIntExact(lease.buffer().byteSize());
        outbox.send(link ->
                link.tryRead(offered.address(), offered.rkey(), lease.address(), lease.lkey(), bytes, () -> {
                    release(lease);
                    receive.endAs(envelope);
                    outbox.send(back -> back.trySend(finished, MemorySegment.NULL, 0, 0));
                }));
    }

    private void awaitWrite(Waiting.Offered offered, Written written) throws MpiError {
        long request = ++lastRequest;
        writes.put(request, written);
        FrameHeader clear = FrameHeader.clearToWrite(offered.request(), request, written.lease.rkey());
        MemorySegment place = FrameLayout.placePayload(
                written.lease.address(), written.lease.buffer().byteSize());
        outboxes.apply(offered.from().rank()).send(link -> link.trySend(clear, place, 0, (int) place.byteSize()));
    }

    private void write(FrameHeader header, PeerLink from, MemorySegment frame) throws MpiError {
        SendOperation send = known(sends.remove(header.request()), from, header);
        RegistrationCache.Lease lease = send.lease();
        long bytes = frame.byteSize() < FrameLayout.PLACED_BYTES ? -1 : FrameLayout.lengthBytes(frame, 0);
        if (lease == null || bytes < 0 || bytes > lease.buffer().byteSize()) {
            throw new MpiError(ErrorClass.OTHER, from.name() + " asks for " + bytes + " bytes that were not offered");
        }
        long place = FrameLayout.address(frame, 0);
        int rkey = header.rkey();
        OutgoingQueue outbox = outboxes.apply(from.rank());
        outbox.send(link -> link.tryWrite(place, rkey, lease.address(), lease.lkey(), (int) bytes, () -> {
            release(lease);
            send.end();
        }));
        FrameHeader written = FrameHeader.written(header.bytes());
        outbox.send(link -> link.trySend(written, MemorySegment.NULL, 0, 0));
    }

    /** Answers of the other side, and parts of messages. */
    void arrived(FrameHeader header, PeerLink from, MemorySegment frame) throws MpiError {
        switch (header.kind()) {
            case CLEAR_TO_SEND -> {
                SendOperation send = known(sends.remove(header.request()), from, header);
                // The receiver's buffer is not RAM: the data goes by copies, and nobody reads it.
                release(send);
                outboxes.apply(from.rank()).send(new PartStream(send, header.bytes()));
            }
            case DATA -> {
                ReceiveOperation receive = known(receives.get(header.request()), from, header);
                long bytes = frame.byteSize() - FrameLayout.HEADER_BYTES;
                if (header.bytes() < 0) {
                    throw new MpiError(ErrorClass.OTHER, from.name() + " has sent data for " + header.bytes());
                }
                receive.put(frame, FrameLayout.HEADER_BYTES, header.bytes(), bytes);
                if (receive.isDone()) {
                    receives.remove(header.request());
                }
            }
            case FINISHED -> {
                SendOperation send = known(sends.remove(header.request()), from, header);
                release(send);
                send.end();
            }
            case CLEAR_TO_WRITE -> write(header, from, frame);
            case WRITTEN -> {
                Written written = known(writes.remove(header.request()), from, header);
                release(written.lease);
                written.receive.endAs(written.envelope);
            }
            case EAGER, REQUEST_TO_SEND ->
                throw new IllegalArgumentException(header.kind().name());
        }
    }

    private static <T> T known(@Nullable T operation, PeerLink from, FrameHeader header) throws MpiError {
        if (operation == null) {
            throw new MpiError(
                    ErrorClass.OTHER,
                    from.name() + " has sent " + header.kind() + " for request " + header.request()
                            + ", which is none");
        }
        return operation;
    }

    /** Empty for memory that the HCA cannot reach, and where a quota is used up: then it is copied. */
    private Optional<RegistrationCache.Lease> register(MemorySegment data, Set<Access> access) {
        if (data.byteSize() == 0) {
            return Optional.empty();
        }
        return buffers.find(data).flatMap(ram -> {
            try {
                return Optional.of(registrations.acquire(ram, access));
            } catch (VerbsException e) {
                return Optional.empty();
            }
        });
    }

    private static void release(SendOperation send) throws MpiError {
        RegistrationCache.Lease lease = send.lease();
        if (lease != null) {
            release(lease);
        }
    }

    private static void release(RegistrationCache.Lease lease) throws MpiError {
        try {
            lease.close();
        } catch (VerbsException e) {
            throw new MpiError(ErrorClass.OTHER, "registration: " + e.getMessage());
        }
    }

    void close() throws VerbsException {
        registrations.close();
    }
}
