package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.cq.CqTable;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpPlan;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Queue pairs of one size that no engine runs, in memory that their tables share. */
final class IdleQps {
    static final int PD = 5;
    private static final int CQ_ENTRIES = 4;

    final MemorySegment memory;
    final QpTable table;
    final Tpt tpt;
    private static final PkeyTable PKEYS = new PkeyTable(List.of(Pkey.DEFAULT));

    private final QpLimits limits;
    private final QueueGeometry geometry;
    private final Cq cq;
    private final long rings;

    IdleQps(int most, QpLimits limits) {
        this.limits = limits;
        geometry = QueueGeometry.of(limits);
        int[] counts = ContextMemoryLayout.counts(Map.of(Table.QP, most, Table.CQ, 1));
        long cqRing = ContextMemoryLayout.totalBytes(counts);
        rings = cqRing + CqHeaderLayout.totalBytes(CQ_ENTRIES);
        memory = Arena.ofAuto().allocate(rings + most * geometry.totalBytes(), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        ContextMemory contexts = new ContextMemory(memory, 0);
        table = new QpTable(contexts, most, new SplittableRandom(3));
        tpt = new Tpt(contexts, 4, 1, new SplittableRandom(2));
        cq = new CqTable(contexts, 1).create(1, 1, 0, cqRing, CQ_ENTRIES);
    }

    Qp create(QpType type, DomainShare share) {
        long ring = rings + table.live() * geometry.totalBytes();
        return table.create(new QpPlan(share, PKEYS, 1, 1, PD, type, cq, cq, ring, limits, geometry));
    }
}
