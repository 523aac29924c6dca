package io.hyperverbs.launcher.load;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.RegionContextLayout;
import io.hyperverbs.hca.layout.SrqContextLayout;
import io.hyperverbs.hca.layout.TotalsLayout;
import io.hyperverbs.hca.layout.TotalsLayout.Traffic;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.launcher.context.HcaView;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one HCA has counted of each domain, at one look. */
final class HcaCounts {
    /** The tables that it is read from. */
    static final List<Table> TABLES = List.of(Table.QP, Table.CQ, Table.SRQ, Table.REGION, Table.UAR);

    /** What a domain has, and its counters that only grow while it has its contexts open. */
    static final class Sum {
        int queuePairs;
        int completionQueues;
        int regions;
        long bytes;
        long errors;
    }

    /**
     * A queue; its number can be given to another one later.
     *
     * @param table QP, CQ or SRQ
     */
    record Queue(Table table, int number) {}

    /**
     * Free-running indexes of a queue, which wrap at 32 bits.
     *
     * @param sendWqes retired, as {@code receiveWqes}
     * @param cqes written
     * @param events raised
     */
    record Indexes(int domain, int sendWqes, int receiveWqes, int cqes, int events) {}

    private final Map<Integer, Sum> sums = new HashMap<>();
    private final Map<Queue, Indexes> queues = new HashMap<>();
    private final MemorySegment memory;

    HcaCounts(HcaView hca) {
        this.memory = hca.memory();
        hca.entries(Table.QP).forEach(this::addQueuePair);
        hca.entries(Table.CQ).forEach(this::addCompletionQueue);
        hca.entries(Table.SRQ).forEach(this::addSharedReceiveQueue);
        for (long region : hca.entries(Table.REGION)) {
            sum(RegionContextLayout.get(memory, region, RegionContextLayout.Field.DOMAIN)).regions++;
        }
        hca.entries(Table.UAR).forEach(this::addContext);
    }

    private void addQueuePair(long entry) {
        Sum sum = sum(qp(entry, QpContextLayout.Field.DOMAIN));
        sum.queuePairs++;
        sum.bytes += qp(entry, QpContextLayout.Field.SENT_BYTES) + qp(entry, QpContextLayout.Field.RECEIVED_BYTES);
        sum.errors += QpContextLayout.counter(memory, entry, Counter.REQ_CQE_ERROR)
                + QpContextLayout.counter(memory, entry, Counter.RESP_CQE_ERROR);
        queues.put(
                new Queue(Table.QP, (int) qp(entry, QpContextLayout.Field.QPN)),
                new Indexes(
                        (int) qp(entry, QpContextLayout.Field.DOMAIN),
                        (int) qp(entry, QpContextLayout.Field.SQ_HEAD),
                        (int) qp(entry, QpContextLayout.Field.RQ_HEAD),
                        0,
                        0));
    }

    private long qp(long entry, QpContextLayout.Field field) {
        return QpContextLayout.get(memory, entry, field);
    }

    private void addCompletionQueue(long entry) {
        sum(cq(entry, CqContextLayout.Field.DOMAIN)).completionQueues++;
        queues.put(
                new Queue(Table.CQ, cq(entry, CqContextLayout.Field.NUMBER)),
                new Indexes(
                        cq(entry, CqContextLayout.Field.DOMAIN),
                        0,
                        0,
                        cq(entry, CqContextLayout.Field.PRODUCER),
                        cq(entry, CqContextLayout.Field.EVENTS)));
    }

    private int cq(long entry, CqContextLayout.Field field) {
        return (int) CqContextLayout.get(memory, entry, field);
    }

    private void addSharedReceiveQueue(long entry) {
        queues.put(
                new Queue(Table.SRQ, (int) SrqContextLayout.get(memory, entry, SrqContextLayout.Field.SRQN)),
                new Indexes(
                        (int) SrqContextLayout.get(memory, entry, SrqContextLayout.Field.DOMAIN),
                        0,
                        (int) SrqContextLayout.get(memory, entry, SrqContextLayout.Field.HEAD),
                        0,
                        0));
    }

    /** What queue pairs of a context counted that are gone. */
    private void addContext(long entry) {
        Sum sum = sum(UarContextLayout.get(memory, entry, UarContextLayout.Field.DOMAIN));
        long totals = UarContextLayout.totals(entry);
        sum.bytes +=
                TotalsLayout.get(memory, totals, Traffic.TX_BYTES) + TotalsLayout.get(memory, totals, Traffic.RX_BYTES);
        sum.errors += TotalsLayout.get(memory, totals, Counter.REQ_CQE_ERROR)
                + TotalsLayout.get(memory, totals, Counter.RESP_CQE_ERROR);
    }

    private Sum sum(long domain) {
        return sums.computeIfAbsent((int) domain, _ -> new Sum());
    }

    /** All zero for a domain that has nothing. */
    Sum of(int domain) {
        return sums.getOrDefault(domain, new Sum());
    }

    /** Indexes of all queues. */
    Map<Queue, Indexes> queues() {
        return queues;
    }
}
