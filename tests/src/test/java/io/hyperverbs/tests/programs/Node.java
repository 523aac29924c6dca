package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a guest of a test has of verbs: a context, a protection domain, a completion queue and a
 * registered buffer of texts, one in each slot. What it is given to close is closed with it, the
 * last first. One thread.
 */
final class Node implements AutoCloseable {
    /** Far more than anything here takes on two busy cores. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    static final int SLOT_BYTES = 256;

    private static final int SLOTS = 16;
    private static final int CQ_ENTRIES = 64;

    final Domain domain = Domain.current();
    final Context context;
    final ProtectionDomain pd;
    final CompletionQueue cq;
    private final CompletionChannel channel;
    final MemorySegment buffer;
    final MemoryRegion region;
    private final Deque<VerbsObject> made = new ArrayDeque<>();

    Node() throws VerbsException {
        context = closing(domain.devices().getFirst().open());
        pd = closing(context.allocatePd());
        channel = closing(context.createChannel());
        cq = closing(context.createCq(CQ_ENTRIES, channel));
        buffer = domain.memory().allocate((long) SLOTS * SLOT_BYTES, 4096);
        Set<Access> rights = EnumSet.copyOf(Peer.ALL);
        rights.add(Access.MW_BIND);
        region = closing(pd.register(buffer, rights));
    }

    /** Closed with the node, before what was made earlier. */
    <T extends VerbsObject> T closing(T object) {
        made.push(object);
        return object;
    }

    /** Says something under its own name. */
    void tell(String key, String value) throws VerbsException {
        domain.store().write(key, value);
    }

    /** What another domain says, once it does. */
    String hear(String guest, String key) throws VerbsException {
        return domain.store().await(guest, key, PATIENCE);
    }

    /** Offers what peers connect to, with {@link Peer#PSN} and the buffer. */
    void offer(String label, int qpn) throws VerbsException {
        tell(
                label,
                new Endpoint(
                                context.queryPort(1).lid(),
                                qpn,
                                Peer.PSN,
                                region.address(),
                                region.rkey(),
                                region.lengthBytes())
                        .format());
    }

    /** What a guest offers, once it does. */
    Endpoint offered(String guest, String label) throws VerbsException {
        return Endpoint.parse(hear(guest, label));
    }

    /** Connects a queue pair that was offered; its sends wait for ever for a receive. */
    static void connect(RcQueuePair qp, Endpoint peer) throws VerbsException {
        qp.modify(QpAttributes.toInit(Peer.ALL));
        qp.modify(QpAttributes.toRtr(peer));
        qp.modify(QpAttributes.toRts(Peer.PSN).with(QpAttribute.RNR_RETRY, 7));
    }

    /**
     * Connects a queue pair whose tries each wait a millisecond for their acknowledgement.
     *
     * @param retries 7: for ever
     */
    static void connect(RcQueuePair qp, Endpoint peer, int retries) throws VerbsException {
        qp.modify(QpAttributes.toInit(Peer.ALL));
        qp.modify(QpAttributes.toRtr(peer));
        qp.modify(impatient(retries));
    }

    /** To RTS with short tries; sends wait for ever for a receive. */
    static QpAttributes impatient(int retries) {
        return QpAttributes.toRts(Peer.PSN)
                .with(QpAttribute.TIMEOUT, 8)
                .with(QpAttribute.RETRY_CNT, retries)
                .with(QpAttribute.RNR_RETRY, 7);
    }

    /** A queue pair of RC, offered under a label. */
    RcQueuePair rc(String label) throws VerbsException {
        RcQueuePair qp = closing(pd.createRc(QpLimits.of(16, 16), cq, cq));
        offer(label, qp.qpn());
        return qp;
    }

    /** Writes a text into a slot. */
    Sge write(int slot, String text) {
        buffer.setString((long) slot * SLOT_BYTES, text);
        return region.sge((long) slot * SLOT_BYTES, text.length() + 1);
    }

    /** A whole slot. */
    Sge slot(int slot) {
        return region.sge((long) slot * SLOT_BYTES, SLOT_BYTES);
    }

    /** The text in a slot. */
    String read(int slot) {
        return buffer.getString((long) slot * SLOT_BYTES);
    }

    /** The next completion, waited for asleep. */
    WorkCompletion next() throws VerbsException {
        return next(PATIENCE);
    }

    /** The next completion, for which others have to do more than answer. */
    WorkCompletion next(Duration patience) throws VerbsException {
        WorkCompletion[] one = {new WorkCompletion()};
        while (cq.poll(one) == 0) {
            posted(cq.arm(false));
            if (cq.poll(one) == 1) {
                break;
            }
            channel.acknowledge(channel.await(patience).orElseThrow(), 1);
        }
        return one[0];
    }

    /** A receive into the slot of that number. */
    ReceiveWorkRequest receive(int slot) {
        return new ReceiveWorkRequest(slot, List.of(slot(slot)));
    }

    /** The next completion, which must be that of {@code wrId} and well. */
    WorkCompletion done(long wrId) throws VerbsException {
        WorkCompletion found = next();
        require(
                found.wrId() == wrId && found.status() == VerbsStatus.SUCCESS,
                "completion " + found + ", must be " + wrId);
        return found;
    }

    /** The next asynchronous event but COMM_EST, which comes when a peer sends first. */
    AsyncEvent event() throws VerbsException {
        return event(context);
    }

    /** The next asynchronous event but COMM_EST of a context. */
    static AsyncEvent event(Context context) throws VerbsException {
        AsyncEvent event = context.awaitAsyncEvent(PATIENCE).orElseThrow();
        while (event.type() == AsyncEvent.Type.COMM_EST) {
            event = context.awaitAsyncEvent(PATIENCE).orElseThrow();
        }
        return event;
    }

    static void posted(VerbsStatus status) {
        require(status == VerbsStatus.SUCCESS, "post: " + status);
    }

    static void require(boolean holds, String words) {
        if (!holds) {
            throw new IllegalStateException(words);
        }
    }

    @Override
    public void close() throws VerbsException {
        while (!made.isEmpty()) {
            made.pop().close();
        }
    }
}
