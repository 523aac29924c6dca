package io.hyperverbs.lab.walk.model;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue pair as the specification knows it. */
public final class ModelQp extends ModelObject {
    /** As many resets fit before a PSN of an earlier life looks like a new one. */
    private static final int PSN_STEP = 1 << 16;

    final int number;
    final int slot;
    final QpType type;
    final ModelPd pd;
    final ModelCq sendCq;
    final ModelCq receiveCq;
    final int pieces;
    final int inlineBytes;
    final boolean allSignalled;
    final Deque<ModelSend> sends = new ArrayDeque<>();

    /** Where its receives come from; null: a queue of its own. */
    final @Nullable ModelSrq srq;

    /** The receives it takes next, its own or shared. */
    final Deque<ModelReceive> receives;

    /** What was set since RESET. */
    final Map<QpAttribute, Long> attributes = new EnumMap<>(QpAttribute.class);

    int sendRoom;
    int receiveRoom;
    QpState state = QpState.RESET;

    /** The state that the program has set or asked for last; it may be in ERR by now. */
    QpState known = QpState.RESET;

    @Nullable
    ModelQp peer;

    int sendPsn;
    int receivePsn;

    /** Whether a request has reached it since it came to RTR. */
    boolean heardOf;

    /** Whether SQ_DRAINED was judged since it came to SQD. */
    boolean drained;

    /** Requests posted since RESET. */
    int posted;

    /** Requests whose slots are free again: those up to the last completion that was seen. */
    int freed;

    /** Whether the last request that ended did so without a completion. */
    boolean silent;

    private int resets;

    ModelQp(
            int number,
            int slot,
            QpType type,
            ModelPd pd,
            @Nullable ModelSrq srq,
            ModelCq sendCq,
            ModelCq receiveCq,
            int pieces,
            int inlineBytes,
            boolean allSignalled) {
        super(pd, srq, sendCq, receiveCq);
        this.number = number;
        this.slot = slot;
        this.type = type;
        this.pd = pd;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.pieces = pieces;
        this.inlineBytes = inlineBytes;
        this.allSignalled = allSignalled;
        this.srq = srq;
        this.receives = srq == null ? new ArrayDeque<>() : srq.receives;
    }

    /** Tells queue pairs of a walk apart, those that are gone too. */
    public int number() {
        return number;
    }

    public QpType type() {
        return type;
    }

    public int slot() {
        return slot;
    }

    /** What a query must find: what was set since RESET. */
    public Map<QpAttribute, Long> attributes() {
        return Collections.unmodifiableMap(attributes);
    }

    /** Whether it takes its receives from that one. */
    public boolean takesFrom(ModelSrq queue) {
        return srq == queue;
    }

    /** Where the keys of its receives are looked up. */
    ModelPd receivePd() {
        return srq == null ? pd : srq.pd;
    }

    /** Receives posted and not taken, shared ones too. */
    public int receivesPosted() {
        return receives.size();
    }

    /** Room of the receive that the next message takes. */
    public long nextReceiveBytes() {
        ModelReceive next = receives.peek();
        return next == null ? 0 : next.lengthBytes();
    }

    public QpState state() {
        return state;
    }

    /** The queue pair it is connected to, or was; null if there was none in that slot. */
    public @Nullable ModelQp peer() {
        return peer;
    }

    /** Whether the PSN that it expects is specified: what is dropped may have counted or not. */
    public boolean countsReceivePsn() {
        return type == QpType.RC;
    }

    /** Whether its PSNs are specified. */
    public boolean countsPsns() {
        return state != QpState.ERR;
    }

    /** Whether a region lies in its PD. */
    public boolean shares(ModelRegion region) {
        return region.pd == pd;
    }

    /** The PSN of its next request, for a queue pair that has requests behind it. */
    public int sendPsn() {
        return sendPsn;
    }

    /** The PSN that it expects. */
    public int receivePsn() {
        return receivePsn;
    }

    /** Whether requests have not ended: they may have taken their PSNs or not. */
    public boolean hasRequests() {
        return !sends.isEmpty();
    }

    /** Whether a read or an atomic has not ended. */
    public boolean waitsForData() {
        return sends.stream().anyMatch(send -> send.verb().returnsData());
    }

    /** Slots of its send queue that hold a request or were not given back. */
    public int sendSlotsTaken() {
        return posted - freed;
    }

    public int sendRoom() {
        return sendRoom;
    }

    public int receiveRoom() {
        return srq == null ? receiveRoom : srq.room;
    }

    public int pieces() {
        return pieces;
    }

    public int inlineBytes() {
        return inlineBytes;
    }

    /** Where it began to send, or will; another one after each RESET. */
    int startPsn() {
        return number * 0x2f_35b1 + resets * PSN_STEP & 0xff_ffff;
    }

    long value(QpAttribute attribute) {
        return attributes.getOrDefault(attribute, 0L);
    }

    /** Whether peers may do that through it. */
    public boolean allows(int right) {
        return (value(QpAttribute.ACCESS_FLAGS) & right) != 0;
    }

    /** Whether it answers requests. */
    boolean listens() {
        return isAlive()
                && switch (state) {
                    case RTR, RTS, SQD, SQE -> true;
                    case RESET, INIT, ERR -> false;
                };
    }

    /** RESET: everything posted is forgotten. */
    void forget() {
        if (state != QpState.RESET) {
            resets++;
        }
        state = QpState.RESET;
        known = QpState.RESET;
        drained = false;
        posted = 0;
        freed = 0;
        silent = false;
        sendPsn = 0;
        receivePsn = 0;
        sends.clear();
        if (srq == null) {
            receives.clear();
        }
        attributes.clear();
        peer = null;
        heardOf = false;
    }
}
