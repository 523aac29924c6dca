package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.journal.Journal;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RejectedAct;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.TokenBucket;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.PrivilegedVerb;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a privileged verb: check, journal (intent), apply, journal (commit), reply. A check
 * has no effect that outlives a refusal; what fails later is taken back. Any thread; verbs of one
 * session run one after the other.
 */
public final class RequestExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(RequestExecutor.class);

    private final Journal journal;
    private final LongSupplier nanoTime;
    private final DeviceServices services;
    private final ContextVerbs contexts;
    private final DeviceVerbs device;
    private final PortVerbs ports;
    private final QueryVerbs queries;
    private final MemoryVerbs memory;
    private final CompletionQueueVerbs completionQueues;
    private final CompletionQueueChanges completionQueueChanges;
    private final QueuePairVerbs queuePairs;
    private final DatagramVerbs datagrams;
    private final SharedReceiveQueueVerbs sharedReceiveQueues;
    private final ReregisterVerb reregister;
    private final WindowVerbs windows;
    private final DestroyVerb destroy;
    private final ManagementVerbs management;
    private volatile @Nullable VerbTap tap;

    /** {@code nanoTime} is the clock of the control rate. */
    public RequestExecutor(DeviceServices services, Journal journal, LongSupplier nanoTime) {
        this.journal = journal;
        this.nanoTime = nanoTime;
        this.services = services;
        this.contexts = new ContextVerbs(services);
        this.device = new DeviceVerbs(services);
        this.ports = new PortVerbs(services);
        this.queries = new QueryVerbs(services);
        this.memory = new MemoryVerbs(services);
        this.completionQueues = new CompletionQueueVerbs(services);
        this.completionQueueChanges = new CompletionQueueChanges(services);
        this.queuePairs = new QueuePairVerbs(services);
        this.datagrams = new DatagramVerbs(services);
        this.sharedReceiveQueues = new SharedReceiveQueueVerbs(services);
        this.reregister = new ReregisterVerb(services);
        this.windows = new WindowVerbs(services);
        this.destroy = new DestroyVerb(new ObjectRemoval(services));
        this.management = new ManagementVerbs(services);
    }

    /**
     * Carries out {@code request}, or repeats the answer that its id got before.
     *
     * @throws io.hyperverbs.vmm.io.ProtocolViolation if the id was another request's
     */
    public ControlReply execute(Session session, long requestId, ControlRequest request) {
        session.countControlMessage();
        session.lock();
        try {
            if (session.isClosed()) {
                return new ControlReply.Refused(VerbsStatus.EIO, "the session is closed");
            }
            var _ = session.leftovers().retry();
            ControlReply earlier = session.replies().find(requestId, request);
            if (earlier != null) {
                return earlier;
            }
            VerbTap seenBy = tap;
            VerbTap.Call call = seenBy == null ? null : seenBy.begin(session, request);
            ControlReply reply = services.hca().hasFailed() && !isEnding(request)
                    ? new ControlReply.Refused(VerbsStatus.EIO, "the HCA has failed")
                    : run(session, requestId, request);
            session.replies().keep(requestId, request, reply);
            if (call != null) {
                call.end(reply);
            }
            return reply;
        } finally {
            session.unlock();
        }
    }

    /** Shows {@code to} each verb that begins from now on; null: nobody. */
    public void tap(@Nullable VerbTap to) {
        tap = to;
    }

    // What ends an object is carried out to the last; management asks nothing of the HCA.
    private static boolean isEnding(ControlRequest request) {
        PrivilegedVerb verb = PrivilegedVerb.of(request);
        return verb == PrivilegedVerb.DESTROY || verb.isManagement();
    }

    private ControlReply run(Session session, long requestId, ControlRequest request) {
        Undo undo = new Undo(session.leftovers());
        boolean intended = false;
        boolean done = false;
        try {
            checkRates(session, request);
            Verb verb = check(session, request, undo);
            intended = !PrivilegedVerb.of(request).isQuery() && intend(session, requestId, request);
            ControlReply reply = verb.apply(undo);
            if (intended) {
                commit(session, requestId, request, reply, undo);
            }
            done = true;
            return reply;
        } catch (Refusal refusal) {
            return refuse(session, requestId, request, refusal, intended);
        } catch (JournalException e) {
            if (session.rejections().record(nanoTime.getAsLong()) >= 0) {
                String verb = request.getClass().getSimpleName();
                LOG.error("{} of {} refused: {}", verb, session, e.toString());
            }
            // Why is for the operator: it may name folders of the host.
            return new ControlReply.Refused(VerbsStatus.ENOSPC, "the journal takes no record");
        } finally {
            if (!done) {
                undo.run();
            }
        }
    }

    /**
     * Records the intent.
     *
     * @return false if there was no room, and it is done nevertheless: what gives back makes room
     */
    private boolean intend(Session session, long requestId, ControlRequest request) throws JournalException {
        boolean ending = PrivilegedVerb.of(request).isEnd();
        try {
            charge(session, journal.intent(session.domain(), session.name(), requestId, request, ending));
            return true;
        } catch (JournalException e) {
            if (!ending) {
                throw e;
            }
            journal.unrecorded();
            return false;
        }
    }

    /** Records that it is done; what cannot be taken back is answered as what it is. */
    private void commit(Session session, long requestId, ControlRequest request, ControlReply reply, Undo undo)
            throws JournalException {
        try {
            charge(session, journal.commit(session.domain(), session.name(), requestId, request, reply));
        } catch (JournalException e) {
            if (undo.isPossible()) {
                throw e;
            }
            journal.unrecorded();
        }
    }

    private void charge(Session session, int recordBytes) {
        session.journalRate().charge(nanoTime.getAsLong(), recordBytes);
    }

    private void checkRates(Session session, ControlRequest request) throws Refusal {
        long now = nanoTime.getAsLong();
        boolean ending = PrivilegedVerb.of(request).isEnd();
        TokenBucket rate = session.controlRate();
        if (!(ending ? rate.takeOnCredit(now) : rate.take(now, VerbCost.of(request)))) {
            throw new Refusal(
                    VerbsStatus.EAGAIN,
                    "quota control-rate: more than "
                            + rate.perSecond()
                            + " control verbs per second, or of their weight");
        }
        TokenBucket bytes = session.journalRate();
        if (!ending && !PrivilegedVerb.of(request).isQuery() && bytes.isSpent(now)) {
            throw new Refusal(
                    VerbsStatus.EAGAIN,
                    "quota journal: more than " + bytes.perSecond() + " bytes of records per second");
        }
    }

    private ControlReply refuse(
            Session session, long requestId, ControlRequest request, Refusal refusal, boolean intended) {
        ControlReply.Refused reply = new ControlReply.Refused(refusal.status(), refusal.words());
        session.rejections()
                .count(refusal.status() == VerbsStatus.EFAULT ? RejectedAct.FOREIGN_FRAME : RejectedAct.VERB);
        long leftOut = intended ? 0 : session.rejections().record(nanoTime.getAsLong());
        if (leftOut < 0) {
            return reply;
        }
        try {
            if (intended) {
                journal.undone(session.domain(), session.name(), requestId, request, reply);
            } else {
                journal.denied(session.domain(), session.name(), requestId, request, reply, leftOut);
            }
        } catch (JournalException e) {
            // An intent without a commit already says that it did not happen.
            LOG.warn("refusal to {} not journalled: {}", session, e.toString());
        }
        return reply;
    }

    private Verb check(Session session, ControlRequest request, Undo undo) throws Refusal {
        return switch (request) {
            case ControlRequest.OpenContext r -> contexts.open(session, r);
            case ControlRequest.QueryDevice r -> device.query(session, r);
            case ControlRequest.QueryPort r -> ports.port(session, r);
            case ControlRequest.QueryGid r -> ports.gid(session, r);
            case ControlRequest.QueryPkey r -> ports.pkey(session, r);
            case ControlRequest.AllocatePd r -> memory.allocatePd(session, r);
            case ControlRequest.OpenXrcd r -> memory.openXrcd(session, r);
            case ControlRequest.RegisterMemory r -> memory.register(session, r, undo);
            case ControlRequest.RegisterRing r -> memory.registerRing(session, r, undo);
            case ControlRequest.CreateCq r -> completionQueues.create(session, r);
            case ControlRequest.ResizeCq r -> completionQueueChanges.resize(session, r);
            case ControlRequest.ModerateCq r -> completionQueueChanges.moderate(session, r);
            case ControlRequest.CreateQp r -> queuePairs.create(session, r);
            case ControlRequest.ModifyQp r -> queuePairs.modify(session, r);
            case ControlRequest.QueryQp r -> queries.queuePair(session, r);
            case ControlRequest.CreateAh r -> datagrams.createAh(session, r);
            case ControlRequest.AttachMulticast r -> datagrams.attach(session, r);
            case ControlRequest.DetachMulticast r -> datagrams.detach(session, r);
            case ControlRequest.CreateSrq r -> sharedReceiveQueues.create(session, r);
            case ControlRequest.ArmSrq r -> sharedReceiveQueues.arm(session, r);
            case ControlRequest.ResizeSrq r -> sharedReceiveQueues.resize(session, r);
            case ControlRequest.QuerySrq r -> sharedReceiveQueues.query(session, r);
            case ControlRequest.ReregisterMemory r -> reregister.reregister(session, r, undo);
            case ControlRequest.AllocateDmaKey r -> memory.allocateDmaKey(session, r);
            case ControlRequest.AllocateWindow r -> windows.allocate(session, r);
            case ControlRequest.Destroy r -> destroy.destroy(session, r);
            case ControlRequest.Management r -> management.check(session, r.request());
        };
    }
}
