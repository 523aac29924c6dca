package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One side of a round: connected queue pairs over one buffer. Messages leave from its first half and land in its
 * second one, behind the {@link Grh} if they are datagrams. One thread; posting allocates nothing.
 */
final class PerfEnd implements AutoCloseable {
    /** Receives posted at once at the start. */
    private static final int RECEIVES_AT_ONCE = 64;

    final PerfRound round;
    final MemorySegment memory;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final PerfCompletions completions;

    private final PerfObjects objects;
    private final MemoryRegion region;
    private final QueuePair[] queuePairs;
    private final SendPoster[] sends;
    private final ReceivePoster[] receives;
    private final Endpoint[] peers;
    private final @Nullable AddressHandle handle;

    /** Connects what {@code objects} has to the peer, which does the same; receives are posted by then. */
    PerfEnd(PerfRound round, PerfObjects objects, PerfPoints points) throws VerbsException, BenchFailure {
        this.round = round;
        this.objects = objects;
        region = objects.region;
        memory = region.buffer();
        sendCq = objects.sendCq;
        receiveCq = objects.receiveCq;
        completions = objects.completions();
        queuePairs = objects.queuePairs;
        int count = queuePairs.length;
        sends = new SendPoster[count];
        receives = new ReceivePoster[count];
        SharedReceiveQueue srq = objects.srq;
        for (int k = 0; k < count; k++) {
            sends[k] = queuePairs[k].sends();
            receives[k] = srq == null ? queuePairs[k].receives() : srq.receives();
        }
        PerfConnection connection = new PerfConnection(objects, points);
        connection.initialize();
        fillReceives();
        peers = connection.connect();
        handle = round.transport() == QpType.UD ? objects.pd.createAh(AddressAttributes.of(peers[0].lid())) : null;
        points.meet("connected");
    }

    int count() {
        return queuePairs.length;
    }

    /** Where the payload of messages begins here. */
    long landingOffset() {
        return (long) objects.halfBytes + (round.transport() == QpType.UD ? Grh.SIZE_BYTES : 0);
    }

    /** Which of the queue pairs has that number. */
    int indexOf(int qpn) {
        int k = 0;
        while (queuePairs[k].qpn() != qpn) {
            k++;
        }
        return k;
    }

    /** Begins a batch on queue pair {@code k}. */
    void start(int k) {
        sends[k].start();
    }

    /**
     * Adds one message of the round's verb to the batch of queue pair {@code k}.
     *
     * @param immediate sent with it if it is a send, unless 0
     */
    void add(int k, long wrId, int flags, int immediate) {
        SendPoster poster = sends[k];
        Endpoint peer = peers[k];
        switch (round.verb()) {
            case SEND -> {
                if (immediate == 0) {
                    poster.send(wrId, flags);
                } else {
                    poster.sendWithImmediate(wrId, flags, immediate);
                }
                if (handle != null) {
                    poster.to(handle.number(), peer.qpn(), PerfConnection.QKEY);
                }
                payload(poster);
            }
            case WRITE -> {
                poster.rdmaWrite(wrId, flags, peer.address() + objects.halfBytes, peer.rkey());
                payload(poster);
            }
            case READ ->
                poster.rdmaRead(wrId, flags, peer.address(), peer.rkey())
                        .sge(region.lkey(), region.address() + objects.halfBytes, round.sizeBytes());
            case FETCH_ADD ->
                poster.fetchAndAdd(wrId, flags, peer.address() + objects.halfBytes, peer.rkey(), 1)
                        .sge(region.lkey(), region.address(), Long.BYTES);
        }
    }

    private void payload(SendPoster poster) {
        if (round.sizeBytes() <= round.queues().inlineBytes()) {
            poster.inline(memory, 0, round.sizeBytes());
        } else {
            poster.sge(region.lkey(), region.address(), round.sizeBytes());
        }
    }

    /** Posts the batch of queue pair {@code k} by one doorbell. */
    void post(int k) throws BenchFailure {
        check(k, sends[k].post());
    }

    /** Posts one message. */
    void post(int k, long wrId, int flags, int immediate) throws BenchFailure {
        start(k);
        add(k, wrId, flags, immediate);
        post(k);
    }

    /** Posts a receive in place of one that a message took on queue pair {@code k}. */
    void receive(int k) throws BenchFailure {
        receives[k].start();
        addReceive(k);
        check(k, receives[k].post());
    }

    private void addReceive(int k) {
        receives[k]
                .receive(0)
                .sge(
                        region.lkey(),
                        region.address() + objects.halfBytes,
                        (int) (landingOffset() - objects.halfBytes) + round.sizeBytes());
    }

    private void fillReceives() throws BenchFailure {
        if (!round.receives()) {
            return;
        }
        int queues = round.has(PerfFlag.SRQ) ? 1 : count();
        for (int k = 0; k < queues; k++) {
            int left = round.queues().rxDepth();
            while (left > 0) {
                receives[k].start();
                for (int i = Math.min(left, RECEIVES_AT_ONCE); i > 0; i--) {
                    addReceive(k);
                    left--;
                }
                check(k, receives[k].post());
            }
        }
    }

    private void check(int k, VerbsStatus status) throws BenchFailure {
        if (status != VerbsStatus.SUCCESS) {
            throw new BenchFailure(
                    "post of " + round.verb().word() + ": " + status.text() + ": " + queuePairs[k].explainPost());
        }
    }

    @Override
    public void close() throws VerbsException {
        for (QueuePair queuePair : queuePairs) {
            queuePair.close();
        }
        if (handle != null) {
            handle.close();
        }
        objects.close();
    }
}
