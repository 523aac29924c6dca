package io.hyperverbs.hca.qp;

import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;

/** A queue pair to be, all checks passed. */
public record QpPlan(
        DomainShare share,
        int uar,
        int slot,
        int pd,
        QpType type,
        Cq sendCq,
        Cq receiveCq,
        long ringAddress,
        QpLimits limits,
        QueueGeometry geometry) {}
