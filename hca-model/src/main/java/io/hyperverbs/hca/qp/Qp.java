package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.event.EventSource;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One queue pair: what it is, its attributes, its state. {@link #move} is the only setter of the
 * state. Engine thread only; allocates nothing after construction but in {@link #query}.
 */
public final class Qp {
    private static final int ATTRIBUTES = QpAttribute.DEST_QPN.bitNumber() + 1;

    /** Transport of a message. */
    public static final int RC = 0;

    /** Transport of a message. */
    public static final int XRC = 1;

    /** Transport of a message; nothing is acknowledged from here on. */
    public static final int UC = 2;

    /** Transport of a message. */
    public static final int UD = 3;

    private static final int NONE = -1;

    // Constants to the compiler, unlike what an enum constant holds: these are asked at each
    // message.
    private static final int ACCESS_FLAGS = QpAttribute.ACCESS_FLAGS.bitNumber();
    private static final int AV = QpAttribute.AV.bitNumber();
    private static final int DEST_QPN = QpAttribute.DEST_QPN.bitNumber();
    private static final int EN_SQD_ASYNC_NOTIFY = QpAttribute.EN_SQD_ASYNC_NOTIFY.bitNumber();
    private static final int MAX_DEST_RD_ATOMIC = QpAttribute.MAX_DEST_RD_ATOMIC.bitNumber();
    private static final int MAX_QP_RD_ATOMIC = QpAttribute.MAX_QP_RD_ATOMIC.bitNumber();
    private static final int MIN_RNR_TIMER = QpAttribute.MIN_RNR_TIMER.bitNumber();
    private static final int PATH_MTU = QpAttribute.PATH_MTU.bitNumber();
    private static final int PKEY_INDEX = QpAttribute.PKEY_INDEX.bitNumber();
    private static final int QKEY = QpAttribute.QKEY.bitNumber();
    private static final int RETRY_CNT = QpAttribute.RETRY_CNT.bitNumber();
    private static final int RNR_RETRY = QpAttribute.RNR_RETRY.bitNumber();
    private static final int TIMEOUT = QpAttribute.TIMEOUT.bitNumber();

    private final int index;
    private final int qpn;
    private final QpPlan plan;
    private final EventSource events;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final QpContext context;
    private final int requesterTransport;
    private final int responderTransport;
    private int pd;
    private Cq receiveCq;
    private final int[] attributes = new int[ATTRIBUTES];
    private @Nullable GlobalRoute globalRoute;
    private int staticRate;
    private QpState state = QpState.RESET;
    private long incarnation;
    private boolean established;
    private boolean drainReported;
    private boolean lastReceiveReported;
    private int sqPsn;
    private int rqPsn;
    private final QpRoute route = new QpRoute();

    Qp(int index, int qpn, QpPlan plan, ContextMemory contexts, MemorySegment copies) {
        this.index = index;
        this.qpn = qpn;
        this.plan = plan;
        this.pd = plan.pd();
        this.receiveCq = plan.receiveCq();
        this.requesterTransport = plan.type() == QpType.XRC_RECV ? NONE : transport(plan.type());
        this.responderTransport = plan.type() == QpType.XRC_SEND ? NONE : transport(plan.type());
        this.events = new EventSource(plan.uar(), qpn);
        long copy = (long) index * QpTable.COPY_BYTES;
        this.sends = new SendQueue(contexts.memory(), plan.ringAddress(), plan.geometry(), copies, copy);
        this.receives = new ReceiveQueue(
                contexts.memory(),
                plan.ringAddress(),
                plan.geometry(),
                copies,
                copy + QpTable.RECEIVE_COPY_OFFSET,
                plan.srq());
        this.context = new QpContext(contexts, index);
        context.create(this);
    }

    /** Place in all tables by QP; reused after destruction. */
    public int index() {
        return index;
    }

    public int qpn() {
        return qpn;
    }

    public QpPlan plan() {
        return plan;
    }

    public QpType type() {
        return plan.type();
    }

    private static int transport(QpType type) {
        return switch (type) {
            case RC -> RC;
            case UC -> UC;
            case UD -> UD;
            case XRC_SEND, XRC_RECV -> XRC;
        };
    }

    /** Whether requests of it are acknowledged: not those of UC and UD. */
    public boolean isAcknowledged() {
        return requesterTransport < UC;
    }

    /** Transport of its requests: one of the four, or negative. */
    public int requesterTransport() {
        return requesterTransport;
    }

    /** Transport of the requests it takes: one of the four, or negative. */
    public int responderTransport() {
        return responderTransport;
    }

    /** XRC target: receives, keys and completions are those of that queue from now on. */
    public void selectSrq(Srq srq) {
        Cq cq = srq.cq();
        pd = srq.pd();
        receiveCq = cq == null ? plan.receiveCq() : cq;
        receives.selectSrq(srq);
    }

    /** XRC target: that queue is gone, with what was taken from it. */
    public void forget(Srq srq) {
        if (plan.srq() == null && receives.forget(srq)) {
            pd = plan.pd();
            receiveCq = plan.receiveCq();
        }
    }

    public DomainShare share() {
        return plan.share();
    }

    public int pd() {
        return pd;
    }

    public Cq sendCq() {
        return plan.sendCq();
    }

    public Cq receiveCq() {
        return receiveCq;
    }

    public EventSource events() {
        return events;
    }

    public SendQueue sends() {
        return sends;
    }

    public ReceiveQueue receives() {
        return receives;
    }

    public QpContext context() {
        return context;
    }

    public QpState state() {
        return state;
    }

    /** Grows at each creation and each RESET of any QP: a peer's life is one value. */
    public long incarnation() {
        return incarnation;
    }

    /** Begins a new life; numbers are unique in the table. */
    void incarnation(long number) {
        incarnation = number;
    }

    /**
     * Changes the state; the caller has asked {@link ModifyCheck}, or the engine found an error.
     * What a state forgets is forgotten here.
     */
    public void move(QpState to) {
        if (!QpMoves.isPossible(plan.type(), state, to)) {
            throw new IllegalStateException("QP " + qpn + " cannot move from " + state + " to " + to);
        }
        if (to == QpState.RESET) {
            sends.reset();
            receives.reset();
            java.util.Arrays.fill(attributes, 0);
            globalRoute = null;
            staticRate = 0;
            sqPsn = 0;
            rqPsn = 0;
            route.clear();
        }
        if (to == QpState.ERR) {
            receives.release();
        }
        if (to == QpState.RTR) {
            established = false;
        }
        drainReported = false;
        lastReceiveReported = false;
        state = to;
        context.noteState(this);
    }

    /** Takes over checked attributes; those of the state are {@link #move}'s. */
    public void apply(QpAttributes changes) {
        for (Map.Entry<QpAttribute, Long> entry : changes.values().entrySet()) {
            int value = (int) (long) entry.getValue();
            switch (entry.getKey()) {
                case STATE, CUR_STATE -> {}
                case SQ_PSN -> sqPsn = value;
                case RQ_PSN -> rqPsn = value;
                default -> attributes[entry.getKey().bitNumber()] = value;
            }
        }
        if (changes.has(QpAttribute.AV)) {
            globalRoute = changes.route();
            staticRate = changes.staticRate();
        }
        context.noteAttributes(this);
    }

    /** All attributes as they are now. */
    public QpAttributes query() {
        QpAttributes all = QpAttributes.to(state).with(QpAttribute.CUR_STATE, state.code());
        for (QpAttribute attribute : QpAttribute.values()) {
            if (!all.has(attribute)) {
                all = all.with(attribute, attribute(attribute) & 0xffff_ffffL);
            }
        }
        all = all.withStaticRate(staticRate);
        return globalRoute == null ? all : all.withRoute(globalRoute);
    }

    /** The attribute's value as it is now. */
    public int attribute(QpAttribute attribute) {
        return switch (attribute) {
            case STATE, CUR_STATE -> state.code();
            case SQ_PSN -> sqPsn;
            case RQ_PSN -> rqPsn;
            default -> attributes[attribute.bitNumber()];
        };
    }

    /** Where its messages come from and how far they get. */
    public QpRoute route() {
        return route;
    }

    public int port() {
        return route.port();
    }

    /** Whether requests of peers are received. */
    public boolean isResponding() {
        return state == QpState.RTR || state == QpState.RTS || state == QpState.SQD || state == QpState.SQE;
    }

    /** Whether peers may do that through this QP. */
    public boolean grants(Access right) {
        return (attributes[ACCESS_FLAGS] & right.bit()) != 0;
    }

    /** UD: what datagrams for it must carry. */
    public int qkey() {
        return attributes[QKEY];
    }

    public int pkeyIndex() {
        return attributes[PKEY_INDEX];
    }

    public int destinationQpn() {
        return attributes[DEST_QPN];
    }

    public int destinationLid() {
        return attributes[AV];
    }

    /** Where the peer is by GID; null if its LID says it. */
    public @Nullable GlobalRoute globalRoute() {
        return globalRoute;
    }

    /** {@link io.hyperverbs.verbs.StaticRate} of its path. */
    public int staticRate() {
        return staticRate;
    }

    public int pathMtuBytes() {
        return attributes[PATH_MTU];
    }

    public int retryCount() {
        return attributes[RETRY_CNT];
    }

    public int rnrRetry() {
        return attributes[RNR_RETRY];
    }

    public int timeoutCode() {
        return attributes[TIMEOUT];
    }

    public int minRnrTimer() {
        return attributes[MIN_RNR_TIMER];
    }

    public int maxReadAtomic() {
        return attributes[MAX_QP_RD_ATOMIC];
    }

    public int maxDestinationReadAtomic() {
        return attributes[MAX_DEST_RD_ATOMIC];
    }

    public int sqPsn() {
        return sqPsn;
    }

    public int rqPsn() {
        return rqPsn;
    }

    public void advanceSqPsn(long packets) {
        sqPsn = Psn.plus(sqPsn, packets);
    }

    public void advanceRqPsn(long packets) {
        rqPsn = Psn.plus(rqPsn, packets);
    }

    /** UC: a message with another PSN than the expected one begins a new count. */
    public void resynchronize(int psn) {
        rqPsn = psn;
    }

    /** True once after each move to RTR: the first request has come. */
    public boolean establish() {
        boolean first = !established && state == QpState.RTR;
        established = true;
        return first;
    }

    /** True once after each move to SQD with notification asked: the send queue has drained. */
    public boolean reportDrain() {
        boolean first = !drainReported && state == QpState.SQD && attributes[EN_SQD_ASYNC_NOTIFY] != 0;
        drainReported = true;
        return first;
    }

    /** True once after each move to ERR: no receive of a shared queue will complete here. */
    public boolean reportLastReceive() {
        boolean first = !lastReceiveReported;
        lastReceiveReported = true;
        return first;
    }

    @Override
    public String toString() {
        return "QP 0x" + Integer.toHexString(qpn) + " " + state;
    }
}
