package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout.Field;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.TotalsLayout;
import io.hyperverbs.hca.layout.TotalsLayout.Traffic;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import java.lang.foreign.MemorySegment;

/** A QP's entry in the context memory, and its counters. Engine thread only. */
public final class QpContext implements ContextMemory.Counts {
    private final ContextMemory contexts;
    private final MemorySegment memory;
    private final long entry;
    private long sentMessages;
    private long sentBytes;
    private long sendErrors;
    private int rnrNaks;
    private long rnrSinceNanos;
    private long receivedMessages;
    private long receivedBytes;
    private long receiveErrors;
    private final int[] counts = new int[ContextMemoryLayout.COUNTERS];
    private int port;
    private boolean changed;

    QpContext(ContextMemory contexts, int index) {
        this.contexts = contexts;
        this.memory = contexts.memory();
        this.entry = contexts.entry(Table.QP, index, QpContextLayout.SIZE_BYTES);
    }

    void create(Qp qp) {
        QpPlan plan = qp.plan();
        QpLimits limits = plan.limits();
        QueueGeometry geometry = plan.geometry();
        memory.asSlice(entry, QpContextLayout.SIZE_BYTES).fill((byte) 0);
        note(Field.DOMAIN, plan.share().domain());
        note(Field.UAR, plan.uar());
        note(Field.SLOT, plan.slot());
        note(Field.PD, plan.pd());
        note(Field.TYPE, plan.type().code());
        note(Field.WEIGHT, plan.share().weight());
        note(Field.SEND_CQ, plan.sendCq().number());
        note(Field.RECEIVE_CQ, plan.receiveCq().number());
        note(Field.RING_ADDRESS, plan.ringAddress());
        note(Field.SEND_ENTRIES, geometry.sendEntries());
        note(Field.SEND_STRIDE, geometry.sendStrideBytes());
        note(Field.RECEIVE_ENTRIES, geometry.receiveEntries());
        note(Field.RECEIVE_STRIDE, geometry.receiveStrideBytes());
        note(Field.SEND_SGE, limits.sendSge());
        note(Field.RECEIVE_SGE, limits.receiveSge());
        note(Field.INLINE_BYTES, limits.inlineBytes());
        note(Field.ALL_SIGNALLED, limits.allSignalled() ? 1 : 0);
        QpContextLayout.publishRelease(memory, entry, qp.qpn());
    }

    void close() {
        QpContextLayout.publishRelease(memory, entry, 0);
    }

    void noteState(Qp qp) {
        note(Field.STATE, qp.state().code());
        if (qp.state() != QpState.RTS && qp.state() != QpState.SQD) {
            awaitsNoReceive();
        }
        noteAttributes(qp);
    }

    void noteAttributes(Qp qp) {
        note(Field.DEST_QPN, qp.destinationQpn());
        note(Field.DEST_LID, qp.destinationLid());
        GlobalRoute route = qp.globalRoute();
        note(Field.DEST_GID_PREFIX, route == null ? 0 : route.destination().prefix());
        note(Field.DEST_GID_INTERFACE, route == null ? 0 : route.destination().interfaceId());
        note(Field.STATIC_RATE, qp.staticRate());
        note(Field.PATH_MTU, qp.pathMtuBytes());
        note(Field.ACCESS, qp.attribute(QpAttribute.ACCESS_FLAGS));
        note(Field.MAX_RD_ATOMIC, qp.maxReadAtomic());
        note(Field.MAX_DEST_RD_ATOMIC, qp.maxDestinationReadAtomic());
        note(Field.MIN_RNR_TIMER, qp.minRnrTimer());
        note(Field.TIMEOUT, qp.timeoutCode());
        note(Field.RETRY_COUNT, qp.retryCount());
        note(Field.RNR_RETRY, qp.rnrRetry());
        note(Field.PKEY_INDEX, qp.attribute(QpAttribute.PKEY_INDEX));
        note(Field.PORT, qp.attribute(QpAttribute.PORT));
        note(Field.SQ_PSN, qp.sqPsn());
        note(Field.RQ_PSN, qp.rqPsn());
        note(Field.SQ_HEAD, qp.sends().head());
        note(Field.RQ_HEAD, qp.receives().head());
    }

    /** A message left: before its completion is visible. What only counts is noted later. */
    public void sent(Qp qp, long bytes) {
        sentMessages++;
        sentBytes += bytes;
        QpContextLayout.writeSqPosition(memory, entry, qp.sends().head(), qp.sqPsn());
        change();
    }

    /** A message or one-sided operation arrived: as {@link #sent}. */
    public void received(Qp qp, long bytes) {
        receivedMessages++;
        receivedBytes += bytes;
        QpContextLayout.writeRqPosition(memory, entry, qp.receives().head(), qp.rqPsn());
        change();
    }

    private void change() {
        if (!changed) {
            changed = true;
            contexts.change(this);
        }
    }

    @Override
    public void note() {
        changed = false;
        QpContextLayout.writeTraffic(memory, entry, sentMessages, sentBytes, receivedMessages, receivedBytes);
    }

    public void sendFailed(Qp qp) {
        awaitsNoReceive();
        note(Field.SEND_ERRORS, ++sendErrors);
        note(Field.SQ_HEAD, qp.sends().head());
    }

    public void receiveFailed(Qp qp) {
        note(Field.RECEIVE_ERRORS, ++receiveErrors);
        note(Field.RQ_HEAD, qp.receives().head());
    }

    /** The peer has no receive for the current request. */
    public void awaitsReceive(long nowNanos) {
        if (rnrNaks == 0) {
            rnrSinceNanos = nowNanos;
        }
        // Retried for ever every 10 us, it reaches the end in six hours, and stays there.
        rnrNaks += rnrNaks == Integer.MAX_VALUE ? 0 : 1;
        QpContextLayout.writeRnr(memory, entry, rnrNaks, rnrSinceNanos);
    }

    /** The current request got its receive, or waits for something else, or is over. */
    public void awaitsNoReceive() {
        if (rnrNaks != 0) {
            rnrNaks = 0;
            QpContextLayout.writeRnr(memory, entry, 0, 0);
        }
    }

    /** Counts for the HCA and for this queue pair. */
    public void count(Counter counter) {
        contexts.count(counter);
        int number = counter.number();
        QpContextLayout.storeCounter(memory, entry, number, ++counts[number]);
    }

    /** The port that its counters are of, 0 before it had one. */
    public int port() {
        return port;
    }

    /** From now on it counts for that port. */
    public void port(int port) {
        this.port = port;
    }

    /** Adds all counters to the totals at that offset of the context memory. */
    public void addTo(long totals) {
        TotalsLayout.add(memory, totals, Traffic.TX_MESSAGES, sentMessages);
        TotalsLayout.add(memory, totals, Traffic.TX_BYTES, sentBytes);
        TotalsLayout.add(memory, totals, Traffic.RX_MESSAGES, receivedMessages);
        TotalsLayout.add(memory, totals, Traffic.RX_BYTES, receivedBytes);
        for (Counter counter : Counter.values()) {
            TotalsLayout.add(memory, totals, counter, counts[counter.number()] & 0xffff_ffffL);
        }
    }

    /** Sets all counters to zero, after they were added to totals. */
    public void clearCounters() {
        sentMessages = 0;
        sentBytes = 0;
        receivedMessages = 0;
        receivedBytes = 0;
        note(Field.SENT_MESSAGES, 0);
        note(Field.SENT_BYTES, 0);
        note(Field.RECEIVED_MESSAGES, 0);
        note(Field.RECEIVED_BYTES, 0);
        for (int number = 0; number < counts.length; number++) {
            counts[number] = 0;
            QpContextLayout.storeCounter(memory, entry, number, 0);
        }
    }

    private void note(Field field, long value) {
        QpContextLayout.set(memory, entry, field, value);
    }
}
