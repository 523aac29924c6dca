package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Completions;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.verbs.XrcTarget;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** A context with an XRC domain, queues in it and connections into it. For one thread. */
final class XrcRig {
    static final long BUFFER_BYTES = 8192;
    static final int PSN = 91;

    final Rig rig;
    final Context context;
    final XrcDomain domain;

    XrcRig(Rig rig) throws VerbsException {
        this.rig = rig;
        context = rig.context();
        domain = rig.closing(context.openXrcDomain());
    }

    /** A shared receive queue of a domain with a PD, a CQ and a buffer of its own. */
    final class Queue {
        final ProtectionDomain pd;
        final Completions receives;
        final SharedReceiveQueue srq;
        final MemorySegment buffer;
        final MemoryRegion region;

        Queue(XrcDomain in) throws VerbsException {
            pd = rig.closing(context.allocatePd());
            receives = new Completions(rig.closing(context.createCq(64, null)), "CQ of an XRC SRQ");
            srq = rig.closing(in.createSrq(pd, new SrqLimits(16, 2), receives.cq()));
            buffer = rig.buffer(BUFFER_BYTES);
            region = rig.closing(pd.register(buffer, SideOptions.standard().regionAccess()));
        }

        void post(long wrId, Sge... segments) {
            Expect.equal(
                    VerbsStatus.SUCCESS,
                    srq.postReceive(new ReceiveWorkRequest(wrId, List.of(segments))),
                    "post_srq_recv");
        }

        WorkCompletion received(Link by, long wrId, VerbsStatus status) {
            return receives.next(by.target.qpn(), wrId, status);
        }
    }

    /** An initiator in a context of its own, connected to a target of the domain. */
    final class Link {
        final ProtectionDomain pd;
        final Completions sends;
        final MemorySegment buffer;
        final MemoryRegion region;
        final XrcInitiator initiator;
        final XrcTarget target;

        Link(Set<Access> access) throws VerbsException {
            Context from = rig.context();
            pd = rig.closing(from.allocatePd());
            sends = new Completions(rig.closing(from.createCq(64, null)), "send CQ");
            buffer = rig.buffer(BUFFER_BYTES);
            region = rig.closing(pd.register(buffer, SideOptions.standard().regionAccess()));
            initiator = rig.closing(pd.createXrcInitiator(new QpLimits(32, 0, 4, 1, 64, false), sends.cq()));
            target = rig.closing(domain.createTarget());
            connect(access);
        }

        void connect(Set<Access> access) throws VerbsException {
            target.connect(end(initiator.qpn()), access);
            initiator.connect(end(target.qpn()), PSN);
        }

        private Endpoint end(int qpn) throws VerbsException {
            return new Endpoint(context.queryPort(1).lid(), qpn, PSN, 0, 0, 0);
        }

        void post(int srqn, SendWorkRequest request) {
            Expect.equal(VerbsStatus.SUCCESS, initiator.postSend(new SendWorkRequest.Xrc(srqn, request)), "post_send");
        }

        /** Posts an operation on the first 64 bytes, 8 for atomics, of both buffers. */
        void post(long wrId, Operation operation, Queue to) {
            post(to.srq.srqn(), operation.request(wrId, to.region.address(), to.region.rkey(), List.of(sge(0, 8))));
        }

        WorkCompletion sent(long wrId, VerbsStatus status) {
            return sends.next(initiator.qpn(), wrId, status);
        }

        Sge sge(long offsetBytes, int lengthBytes) {
            return region.sge(offsetBytes, lengthBytes);
        }

        /** Sends a pattern into the next receive of a queue, which is {@code wrId} at its start. */
        void carries(Queue to, long wrId, int lengthBytes) {
            Pattern.fill(buffer, 0, lengthBytes, (int) wrId);
            post(to.srq.srqn(), Operation.SEND.request(wrId, sge(0, lengthBytes)));
            sent(wrId, VerbsStatus.SUCCESS);
            WorkCompletion received = to.received(this, wrId, VerbsStatus.SUCCESS);
            Expect.equal(lengthBytes, received.byteCount(), "bytes received");
            Pattern.expect(to.buffer, 0, lengthBytes, (int) wrId, "data received");
        }
    }

    Queue queue() throws VerbsException {
        return new Queue(domain);
    }

    Link link() throws VerbsException {
        return new Link(SideOptions.standard().qpAccess());
    }

    /** The next event of the receiving context, COMM_EST passed over. */
    void event(AsyncEvent.Type type, int number) throws VerbsException {
        Expect.equal(new AsyncEvent(type, number), SharedQueueRig.nextEvent(context), "asynchronous event");
    }
}
