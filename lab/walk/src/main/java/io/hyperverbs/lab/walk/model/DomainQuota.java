package io.hyperverbs.lab.walk.model;

import java.util.Map;

/** How many objects each domain of a walk may have: fewer than there are slots. */
public final class DomainQuota {
    public static final int PDS = 3;
    public static final int CQS = 3;
    public static final int REGIONS = 5;
    public static final int WINDOWS = 4;
    public static final int AHS = 4;
    public static final int SRQS = 2;
    public static final int QPS = 4;

    private static final long CONTROL_VERBS_PER_SECOND = 10_000_000;
    private static final long JOURNAL_BYTES_PER_SECOND = 1L << 40;

    private DomainQuota() {}

    /** As the settings of a domain name them. */
    public static Map<String, Long> settings() {
        return Map.of(
                "ah", (long) AHS,
                "mw", (long) WINDOWS,
                "pd", (long) PDS,
                "cq", (long) CQS,
                "mr", (long) REGIONS,
                "srq", (long) SRQS,
                "qp", (long) QPS,
                "control-rate", CONTROL_VERBS_PER_SECOND,
                "journal", JOURNAL_BYTES_PER_SECOND);
    }
}
