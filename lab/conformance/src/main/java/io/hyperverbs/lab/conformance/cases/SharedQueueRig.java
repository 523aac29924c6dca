package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One context with a shared receive queue in a PD of its own, and connections into it: each has a
 * queue pair of another PD with its own receive CQ, and a {@link Side} that sends. For one thread.
 */
final class SharedQueueRig {
    static final int CAPACITY = 8;
    static final int PIECES = 2;
    private static final long BUFFER_BYTES = 8192;
    private static final Set<Access> ALL =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    final Rig rig;
    final Context context;
    final ProtectionDomain srqPd;
    final ProtectionDomain qpPd;
    final SharedReceiveQueue srq;
    final MemorySegment buffer;
    final MemoryRegion region;

    SharedQueueRig(Rig rig) throws VerbsException {
        this.rig = rig;
        context = rig.context();
        srqPd = rig.closing(context.allocatePd());
        qpPd = rig.closing(context.allocatePd());
        srq = rig.closing(srqPd.createSrq(new SrqLimits(CAPACITY, PIECES)));
        buffer = rig.buffer(BUFFER_BYTES);
        region = rig.closing(srqPd.register(buffer, ALL));
    }

    /** A queue pair on the shared queue, and who sends to it. */
    final class Link {
        final Side sender;
        final Completions sends;
        final Completions receives;
        final MemoryRegion exposed;
        final RcQueuePair qp;

        Link(SideOptions options, int cqEntries) throws VerbsException {
            sender = rig.side(options);
            sends = new Completions(rig.closing(context.createCq(64, null)), "send CQ");
            receives = new Completions(rig.closing(context.createCq(cqEntries, null)), "receive CQ");
            exposed = rig.closing(qpPd.register(rig.buffer(BUFFER_BYTES), ALL));
            qp = rig.closing(qpPd.createRc(new QpLimits(16, 16, 2, 2, 64, false), sends.cq(), receives.cq(), srq));
            connect();
        }

        void connect() throws VerbsException {
            qp.connect(sender.endpoint(), 77, ALL);
            sender.connect(qp.endpoint(77, exposed));
        }

        /** The next receive completion here, which must be this one. */
        WorkCompletion received(long wrId, VerbsStatus status) {
            return receives.next(qp.qpn(), wrId, status);
        }

        /** Sends from the start of the sender's buffer; it must succeed. */
        void sends(long wrId, int lengthBytes) {
            sender.post(Operation.SEND.request(wrId, sender.sge(0, lengthBytes)));
            sender.sent(wrId, VerbsStatus.SUCCESS);
        }

        /** Sends a pattern into the receive {@code wrId}, which lies at the buffer's start. */
        void carries(long wrId, int lengthBytes) {
            Pattern.fill(sender.buffer(), 0, lengthBytes, (int) wrId);
            sends(wrId, lengthBytes);
            received(wrId, VerbsStatus.SUCCESS);
            Pattern.expect(buffer, 0, lengthBytes, (int) wrId, "data received");
        }
    }

    Link link() throws VerbsException {
        return link(SideOptions.standard());
    }

    Link link(SideOptions options) throws VerbsException {
        return new Link(options, 64);
    }

    Sge sge(long offsetBytes, int lengthBytes) {
        return region.sge(offsetBytes, lengthBytes);
    }

    VerbsStatus tryPost(long wrId, Sge... segments) {
        return srq.postReceive(new ReceiveWorkRequest(wrId, List.of(segments)));
    }

    /** Posts a receive; it must be accepted. */
    void post(long wrId, Sge... segments) {
        Expect.equal(VerbsStatus.SUCCESS, tryPost(wrId, segments), "post_srq_recv");
    }

    /** Posts receives of 64 bytes at the buffer's start, numbered from {@code first}. */
    void fill(long first, int count) {
        for (int i = 0; i < count; i++) {
            post(first + i, sge(0, 64));
        }
    }

    /** The next event of a context. COMM_EST, which a first request raises, is passed over. */
    static AsyncEvent nextEvent(Context context) throws VerbsException {
        AsyncEvent event;
        do {
            event = context.awaitAsyncEvent(Side.PATIENCE)
                    .orElseThrow(() -> new AssertionError("no asynchronous event came"));
        } while (event.type() == AsyncEvent.Type.COMM_EST);
        return event;
    }

    void event(AsyncEvent.Type type, int number) throws VerbsException {
        Expect.equal(new AsyncEvent(type, number), nextEvent(context), "asynchronous event");
    }

    /** Nothing more was raised: the next event is one made for this. */
    void noMoreEvents() throws VerbsException {
        SharedReceiveQueue marker = rig.closing(srqPd.createSrq(new SrqLimits(1, 1)));
        marker.armLimit(1);
        event(AsyncEvent.Type.SRQ_LIMIT_REACHED, marker.srqn());
    }
}
