package io.hyperverbs.lab.mpi;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.upper.job.link.JobConnector;
import io.hyperverbs.upper.job.link.JobEnd;
import io.hyperverbs.upper.job.link.PeerWatch;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Two ranks with a connection of plain verbs: what their messages are compared with. It waits as MPI does. Both ranks call
 * each method; one thread.
 */
final class VerbsPair implements JobEnd, AutoCloseable {
    /** "VRB" and a version. */
    private static final int PROTOCOL = 0x5652_4201;

    private static final long ALIGNMENT_BYTES = 64;
    private static final int WORK_REQUESTS = 64;
    private static final int TERMS_BYTES = 12;

    private final int rank;
    private final int window;
    private final int mostBytes;
    private final Domain domain;
    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue queue;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final RcQueuePair qp;
    private final SendPoster sends;
    private final ReceivePoster receives;
    private final PeerWatch watch;
    private final WorkCompletion[] completions = new WorkCompletion[WORK_REQUESTS];
    private final WaitingPolicy waiting = WaitingPolicy.hybrid();
    private @Nullable CmConnection connection;
    private long peerAddress;

    private int peerKey;

    /** Completions that were taken and not waited for yet. */
    private int found;

    /**
     * @param window how many messages are on their way at most
     * @param mostBytes of a message
     */
    VerbsPair(JobPlace place, Domain domain, int window, int mostBytes) throws VerbsException {
        this.rank = place.rank();
        this.window = window;
        this.mostBytes = mostBytes;
        this.domain = domain;
        this.context = domain.devices().getFirst().open();
        this.pd = context.allocatePd();
        this.queue = context.createCq(2 * WORK_REQUESTS, null);
        this.memory = domain.memory().allocate((long) window * mostBytes, ALIGNMENT_BYTES);
        this.region = pd.register(memory, JobConnector.RIGHTS);
        this.qp = pd.createRc(QpLimits.of(WORK_REQUESTS, WORK_REQUESTS), queue, queue);
        this.sends = qp.sends();
        this.receives = qp.receives();
        this.watch = new PeerWatch(context, place);
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
        new JobConnector(context, place, PROTOCOL, watch, (_, init) -> open(init)).connectAll();
    }

    private VerbsPair open(QpAttributes init) throws VerbsException {
        qp.modify(init);
        postReceive();
        return this;
    }

    @Override
    public RcQueuePair qp() {
        return qp;
    }

    @Override
    public byte[] terms() {
        return ByteBuffer.allocate(TERMS_BYTES)
                .putLong(region.address())
                .putInt(region.rkey())
                .array();
    }

    @Override
    public void connected(CmConnection by, ByteBuffer peerTerms) {
        connection = by;
        peerAddress = peerTerms.getLong();
        peerKey = peerTerms.getInt();
    }

    private void postReceive() throws VerbsException {
        receives.start();
        receives.receive(0);
        receives.sge(region.lkey(), region.address(), mostBytes);
        check(receives.post());
    }

    /** One round trip of a message that is sent and received; the next receive is posted before the answer goes. */
    void roundTrip(int bytes) throws VerbsException {
        if (rank == 0) {
            send(bytes);
            awaitCompletions(2);
            postReceive();
        } else {
            awaitCompletions(1);
            postReceive();
            send(bytes);
            awaitCompletions(1);
        }
    }

    private void send(int bytes) throws VerbsException {
        sends.start();
        sends.send(0, SendFlags.SIGNALLED);
        if (bytes <= qp.limits().inlineBytes()) {
            sends.inline(memory, 0, bytes);
        } else {
            sends.sge(region.lkey(), region.address(), bytes);
        }
        check(sends.post());
    }

    /** Rank 0 writes a window of messages to rank 1, and waits until all are there. */
    void writeWindow(int bytes) throws VerbsException {
        if (rank != 0) {
            return;
        }
        for (int i = 0; i < window; i++) {
            long offset = (long) i * bytes;
            sends.start();
            sends.rdmaWrite(0, SendFlags.SIGNALLED, peerAddress + offset, peerKey)
                    .sge(region.lkey(), region.address() + offset, bytes);
            check(sends.post());
        }
        awaitCompletions(window);
    }

    private void awaitCompletions(int count) throws VerbsException {
        waiting.reset();
        while (found < count) {
            int some = queue.poll(completions);
            for (int i = 0; i < some; i++) {
                check(completions[i].status());
            }
            found += some;
            if (some == 0) {
                waiting.idleOrNap();
            }
        }
        found -= count;
    }

    private static void check(VerbsStatus status) throws VerbsException {
        if (status != VerbsStatus.SUCCESS) {
            throw new VerbsException(status, "the other rank is gone, or this one is wrong");
        }
    }

    @Override
    public void close() throws VerbsException {
        watch.expectEnd();
        if (connection != null) {
            connection.close();
        }
        qp.close();
        region.close();
        domain.memory().free(memory);
        watch.close();
        queue.close();
        pd.close();
        context.close();
    }
}
