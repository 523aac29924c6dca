package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionChannel;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of any transport: PD, completion queues, queue pair, buffer and region, and the steps
 * that cases take with them. For one thread.
 *
 * @param <Q> its queue pair
 */
public abstract class AnySide<Q extends QueuePair> {
    /** How long anything that must come may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The wr_id of requests that only prove that nothing came before them. */
    static final long MARKER = 0x6d61_726b_6572_0000L;

    /** Makes the queue pair of a side. */
    interface Maker<Q> {
        Q make(ProtectionDomain pd, QpLimits limits, CompletionQueue sendCq, CompletionQueue receiveCq)
                throws VerbsException;
    }

    private final Rig rig;
    private final String name;
    private final SideOptions options;
    private final Context context;
    private final ProtectionDomain pd;
    private final @Nullable CompletionChannel channel;
    private final Completions sends;
    private final Completions receives;
    private final MemorySegment buffer;
    private final MemoryRegion region;
    private final Q qp;

    AnySide(Rig rig, String name, ProtectionDomain pd, SideOptions options, Maker<Q> maker) throws VerbsException {
        this.rig = rig;
        this.name = name;
        this.options = options;
        this.pd = pd;
        this.context = pd.context();
        channel = options.channel() ? rig.closing(context.createChannel()) : null;
        CompletionQueue sendCq = rig.closing(context.createCq(options.cqEntries(), channel));
        CompletionQueue receiveCq = rig.closing(context.createCq(options.cqEntries(), channel));
        sends = new Completions(sendCq, name + " send CQ");
        receives = new Completions(receiveCq, name + " receive CQ");
        buffer = rig.buffer(options.bufferBytes());
        region = rig.closing(pd.register(buffer, options.regionAccess()));
        qp = rig.closing(maker.make(pd, options.limits(), sendCq, receiveCq));
    }

    /** A signalled request without payload that succeeds in RTS and touches nobody. */
    abstract SendWorkRequest harmless(long wrId) throws VerbsException;

    /** A queue pair in RTS that no case has anything to do with. */
    abstract QueuePair bystander(CompletionQueue cq) throws VerbsException;

    final Rig rig() {
        return rig;
    }

    final SideOptions options() {
        return options;
    }

    public Context context() {
        return context;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public CompletionQueue receiveCq() {
        return receives.cq();
    }

    public CompletionQueue sendCq() {
        return sends.cq();
    }

    public Completions receives() {
        return receives;
    }

    public Completions sends() {
        return sends;
    }

    public MemorySegment buffer() {
        return buffer;
    }

    public MemoryRegion region() {
        return region;
    }

    public Q qp() {
        return qp;
    }

    /**
     * The channel of both completion queues.
     *
     * @throws IllegalStateException if the options have none
     */
    public CompletionChannel channel() {
        if (channel == null) {
            throw new IllegalStateException(name + " was opened without a channel");
        }
        return channel;
    }

    public void to(QpState state) throws VerbsException {
        qp.modify(QpAttributes.to(state));
    }

    /** The state by query. */
    public QpState state() throws VerbsException {
        return qp.query().state();
    }

    public void expectState(QpState expected) throws VerbsException {
        Expect.equal(expected, state(), "state of " + name);
    }

    /** Address of a byte of the buffer. */
    public long at(long offsetBytes) {
        return region.address() + offsetBytes;
    }

    public Sge sge(long offsetBytes, int lengthBytes) {
        return region.sge(offsetBytes, lengthBytes);
    }

    /** Posts the requests with one doorbell; they must be accepted. */
    public void post(SendWorkRequest... requests) {
        Expect.equal(VerbsStatus.SUCCESS, qp.postSend(List.of(requests)), name + " post_send");
    }

    /** Posts a receive of these pieces; it must be accepted. */
    public void receive(long wrId, Sge... segments) {
        VerbsStatus status = qp.postReceive(new ReceiveWorkRequest(wrId, List.of(segments)));
        Expect.equal(VerbsStatus.SUCCESS, status, name + " post_recv");
    }

    /** The next send completion, which must be this one. */
    public WorkCompletion sent(long wrId, VerbsStatus status) {
        return sends.next(qp.qpn(), wrId, status);
    }

    /** The next receive completion, which must be this one. */
    public WorkCompletion received(long wrId, VerbsStatus status) {
        return receives.next(qp.qpn(), wrId, status);
    }

    /**
     * Ends the side: moves the queue pair to ERR and expects the receives still posted to be
     * flushed, in order, and nothing else on either queue.
     */
    public void ends(long... postedReceives) throws VerbsException {
        to(QpState.ERR);
        receive(MARKER);
        post(harmless(MARKER));
        sent(MARKER, VerbsStatus.WR_FLUSH_ERR);
        for (long wrId : postedReceives) {
            received(wrId, VerbsStatus.WR_FLUSH_ERR);
        }
        received(MARKER, VerbsStatus.WR_FLUSH_ERR);
    }

    /** The next asynchronous event of the context, which must be this one of the queue pair. */
    public void event(AsyncEvent.Type type) throws VerbsException {
        Expect.equal(new AsyncEvent(type, qp.qpn()), nextEvent(), name + " asynchronous event");
    }

    /** The next asynchronous event of the context. */
    public AsyncEvent nextEvent() throws VerbsException {
        return context.awaitAsyncEvent(PATIENCE)
                .orElseThrow(() -> new AssertionError(name + ": no asynchronous event came"));
    }

    /**
     * No asynchronous event is left in the context: the next one is of a queue pair made for this.
     */
    public void noMoreEvents() throws VerbsException {
        CompletionQueue cq = rig.closing(context.createCq(1, null));
        QueuePair marker = bystander(cq);
        marker.modify(QpAttributes.to(QpState.SQD).with(QpAttribute.EN_SQD_ASYNC_NOTIFY, 1));
        Expect.equal(
                new AsyncEvent(AsyncEvent.Type.SQ_DRAINED, marker.qpn()), nextEvent(), name + " asynchronous event");
    }

    @Override
    public String toString() {
        return name;
    }
}
