package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.srq.Srq;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import org.jspecify.annotations.Nullable;

/** A queue pair to be, all checks passed. */
public record QpPlan(
        DomainShare share,
        PkeyTable pkeys,
        int uar,
        int slot,
        int pd,
        QpType type,
        Cq sendCq,
        Cq receiveCq,
        long ringAddress,
        QpLimits limits,
        QueueGeometry geometry,
        @Nullable Srq srq) {
    /** One with a receive queue of its own. */
    public QpPlan(
            DomainShare share,
            PkeyTable pkeys,
            int uar,
            int slot,
            int pd,
            QpType type,
            Cq sendCq,
            Cq receiveCq,
            long ringAddress,
            QpLimits limits,
            QueueGeometry geometry) {
        this(share, pkeys, uar, slot, pd, type, sendCq, receiveCq, ringAddress, limits, geometry, null);
    }
}
