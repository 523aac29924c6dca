package io.hyperverbs.upper.mpi.progress;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.frame.FrameHeader;
import io.hyperverbs.upper.mpi.frame.FrameLayout;
import io.hyperverbs.upper.mpi.link.PeerLink;
import io.hyperverbs.upper.mpi.link.RankLinks;
import io.hyperverbs.upper.mpi.match.Envelope;
import io.hyperverbs.upper.mpi.match.Matching;
import io.hyperverbs.upper.mpi.match.ReceivePattern;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one rank. Short ones go at once into the receiver's ring and wait there, or here, for a receive; long and
 * synchronous ones are offered, and go when a receive has matched (Bertozzi 2000 §4.3): {@link LongMessages}. Nothing
 * happens but in calls, all by one thread.
 */
public final class RankProgress implements AutoCloseable {
    /** Longer messages are offered. */
    static final int EAGER_BYTES = 16 << 10;

    private final JobPlace place;
    private final @Nullable RankLinks links;
    private final RamBuffers buffers;
    private final @Nullable LongMessages longMessages;
    private final @Nullable OutgoingQueue[] outboxes;
    private final Matching<ReceiveOperation, Waiting> matching = new Matching<>();
    private final WaitingPolicy waiting = WaitingPolicy.hybrid();
    private int nextContext;

    private RankProgress(JobPlace place, @Nullable RankLinks links, RamBuffers buffers) throws MpiError {
        this.place = place;
        this.links = links;
        this.buffers = buffers;
        this.outboxes = new OutgoingQueue[place.ranks()];
        this.longMessages = links == null ? null : new LongMessages(links, buffers, this::outbox);
        for (int rank = 0; links != null && rank < outboxes.length; rank++) {
            outboxes[rank] = rank == place.rank() ? null : new OutgoingQueue(links.to(rank));
        }
    }

    /** Connects to the other ranks of the job. */
    public static RankProgress begin(JobPlace place, Domain domain) throws MpiError {
        RankLinks links = place.ranks() == 1 ? null : RankLinks.connect(place, domain);
        return new RankProgress(place, links, new RamBuffers(domain.memory()));
    }

    public JobPlace place() {
        return place;
    }

    /** The next number that no communicator of this rank has; even. */
    public int nextContext() {
        return nextContext;
    }

    /** A communicator has that number, and the next one. */
    public void takeContext(int context) {
        nextContext = Math.max(nextContext, context + 2);
    }

    public RamBuffers buffers() {
        return buffers;
    }

    /**
     * Begins to send a message.
     *
     * @param to a rank of the job
     * @param synchronous whether it ends only when a receive has matched
     * @param data is not to be changed before the operation has ended
     */
    public SendOperation send(int context, int to, int tag, MemorySegment data, boolean synchronous) throws MpiError {
        SendOperation send = new SendOperation(data);
        if (to == place.rank()) {
            sendToSelf(new Envelope(context, to, tag, data.byteSize()), send, synchronous);
        } else if (synchronous || data.byteSize() > EAGER_BYTES) {
            longMessages().offer(to, context, tag, send);
        } else {
            FrameHeader header = FrameHeader.eager(context, tag, data.byteSize());
            outbox(to).send(link -> {
                boolean sent = link.trySend(header, data, 0, (int) data.byteSize());
                if (sent) {
                    send.end();
                }
                return sent;
            });
        }
        return send;
    }

    private void sendToSelf(Envelope envelope, SendOperation send, boolean synchronous) {
        Optional<ReceiveOperation> receive = matching.receiveFor(envelope);
        if (receive.isPresent()) {
            put(receive.get(), envelope, send.data());
            send.end();
        } else if (synchronous) {
            matching.addMessage(envelope, new Waiting.Own(send));
        } else {
            matching.addMessage(envelope, new Waiting.Held(copyOf(send.data(), 0)));
            send.end();
        }
    }

    /**
     * Begins to receive a message.
     *
     * @param data where it goes; not to be looked at before the operation has ended
     */
    public ReceiveOperation receive(ReceivePattern pattern, MemorySegment data) throws MpiError {
        ReceiveOperation receive = new ReceiveOperation(data);
        Optional<Matching.Found<Waiting>> found = matching.messageFor(pattern);
        if (found.isEmpty()) {
            matching.addReceive(pattern, receive);
            return receive;
        }
        Envelope envelope = found.get().envelope();
        switch (found.get().message()) {
            case Waiting.Held held -> put(receive, envelope, held.payload());
            case Waiting.Own own -> {
                put(receive, envelope, own.send().data());
                own.send().end();
            }
            case Waiting.Offered offered -> longMessages().take(receive, envelope, offered);
        }
        return receive;
    }

    private static void put(ReceiveOperation receive, Envelope envelope, MemorySegment payload) {
        MemorySegment.copy(payload, 0, receive.data(), 0, receive.fitting(envelope));
        receive.endAs(envelope);
    }

    private static MemorySegment copyOf(MemorySegment data, long offset) {
        byte[] bytes = new byte[Math.toIntExact(data.byteSize() - offset)];
        MemorySegment copy = MemorySegment.ofArray(bytes);
        MemorySegment.copy(data, offset, copy, 0, bytes.length);
        return copy;
    }

    /** The envelope of the message that such a receive would get; empty if there is none yet. Does not wait. */
    public Optional<Envelope> probe(ReceivePattern pattern) throws MpiError {
        poll();
        return matching.peek(pattern);
    }

    /** Waits for such a message. */
    public Envelope awaitMessage(ReceivePattern pattern) throws MpiError {
        waiting.reset();
        while (true) {
            Optional<Envelope> found = matching.peek(pattern);
            if (found.isPresent()) {
                return found.get();
            }
            step();
        }
    }

    /**
     * Waits until an operation has ended.
     *
     * @throws MpiError if a rank is gone; what is wrong with the operation alone is in it
     */
    public void await(MessageOperation operation) throws MpiError {
        waiting.reset();
        while (!operation.isDone()) {
            step();
        }
    }

    /** One step of waiting: what there is, or a moment's rest. */
    public void step() throws MpiError {
        if (poll()) {
            waiting.reset();
            return;
        }
        if (links != null) {
            links.check();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new MpiError(ErrorClass.OTHER, "interrupted while it waited");
        }
        waiting.idleOrNap();
    }

    /** Moves on what can be moved on, without waiting; whether anything arrived or ended. */
    public boolean poll() throws MpiError {
        if (links == null) {
            return false;
        }
        boolean found = links.poll(this::arrived);
        for (OutgoingQueue outbox : outboxes) {
            if (outbox != null && !outbox.isEmpty()) {
                outbox.advance();
            }
        }
        return found;
    }

    private void arrived(PeerLink from, MemorySegment frame) throws MpiError {
        FrameHeader header;
        try {
            header = FrameLayout.read(frame, 0);
        } catch (IllegalArgumentException e) {
            throw new MpiError(ErrorClass.OTHER, from.name() + " has sent a " + e.getMessage());
        }
        switch (header.kind()) {
            case EAGER -> eager(header, from, frame);
            case REQUEST_TO_SEND -> offered(header, from, frame);
            case CLEAR_TO_SEND, DATA, FINISHED, CLEAR_TO_WRITE, WRITTEN ->
                longMessages().arrived(header, from, frame);
        }
    }

    private void eager(FrameHeader header, PeerLink from, MemorySegment frame) {
        long bytes = frame.byteSize() - FrameLayout.HEADER_BYTES;
        Envelope envelope = new Envelope(header.context(), from.rank(), header.tag(), bytes);
        Optional<ReceiveOperation> receive = matching.receiveFor(envelope);
        if (receive.isPresent()) {
            put(receive.get(), envelope, frame.asSlice(FrameLayout.HEADER_BYTES));
        } else {
            matching.addMessage(envelope, new Waiting.Held(copyOf(frame, FrameLayout.HEADER_BYTES)));
        }
    }

    private void offered(FrameHeader header, PeerLink from, MemorySegment frame) throws MpiError {
        if (frame.byteSize() < FrameLayout.ADDRESSED_BYTES || header.bytes() < 0) {
            throw new MpiError(ErrorClass.OTHER, from.name() + " offers a message without address or length");
        }
        Envelope envelope = new Envelope(header.context(), from.rank(), header.tag(), header.bytes());
        Waiting.Offered message =
                new Waiting.Offered(from, header.request(), header.rkey(), FrameLayout.address(frame, 0));
        Optional<ReceiveOperation> receive = matching.receiveFor(envelope);
        if (receive.isPresent()) {
            longMessages().take(receive.get(), envelope, message);
        } else {
            matching.addMessage(envelope, message);
        }
    }

    private LongMessages longMessages() {
        if (longMessages == null) {
            throw new IllegalStateException("there is no other rank");
        }
        return longMessages;
    }

    private OutgoingQueue outbox(int rank) {
        OutgoingQueue outbox = outboxes[rank];
        if (outbox == null) {
            throw new IllegalStateException("no way to rank " + rank);
        }
        return outbox;
    }

    /** From now on other ranks may end; before they do, they and this one agree that all is over. */
    public void expectEnd() {
        if (links != null) {
            links.expectEnd();
        }
    }

    /** Waits until all that was sent has arrived, and ends the connections. */
    public void finish() throws MpiError {
        if (links != null) {
            links.flush(this::arrived);
        }
        close();
    }

    @Override
    public void close() throws MpiError {
        try {
            if (longMessages != null) {
                longMessages.close();
            }
            buffers.freeAll();
            if (links != null) {
                links.close();
            }
        } catch (VerbsException e) {
            throw new MpiError(ErrorClass.OTHER, "cannot end the connections: " + e.getMessage());
        }
    }
}
