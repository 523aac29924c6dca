package io.hyperverbs.hca.srq;

import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.layout.SrqGeometry;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue to be, all checks passed.
 *
 * @param xrcd XRC domain, 0 if it is none of XRC
 * @param cq where its receives complete with XRC; null: on the queue pair's own
 */
public record SrqPlan(
        int domain,
        int uar,
        int pd,
        long ringAddress,
        SrqGeometry geometry,
        int receiveSge,
        int xrcd,
        @Nullable Cq cq) {}
