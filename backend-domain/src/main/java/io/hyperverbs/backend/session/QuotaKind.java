package io.hyperverbs.backend.session;

import io.hyperverbs.hca.HcaLimits;
import java.util.Optional;
import java.util.OptionalLong;

/** What a domain may have only so much of; {@link #key} is its name in topologies and refusals. */
public enum QuotaKind {
    QP("qp", 128),
    CQ("cq", 128),
    /** Entries of all completion queues together. */
    CQE("cqe", 1 << 18),
    MR("mr", 512),
    /** Bytes of all regions together; the default is four times the domain's memory. */
    REGISTERED("registered", 0),
    PD("pd", 64),
    AH("ah", 256),
    /** Shared receive queues; no more than queue pairs unless the topology says so. */
    SRQ("srq", 64),
    /** Control verbs per second; what gives back goes on, on credit. */
    CONTROL_RATE("control-rate", 20_000),
    /** Events queued for a domain that does not read them. */
    EVENTS("events", 1024),
    /** Open contexts, each with a UAR page. */
    UAR("uar", 16),
    /** Registered rings; the default is one for each queue and one for a queue being resized. */
    RING("ring", 0),
    /** Channels, listeners and connections of the connection manager. */
    CM("cm", 256),
    /** Multicast memberships and service records. */
    SA("sa", 64),
    /** Memory windows. */
    MW("mw", 512),
    /** Attachments of queue pairs to multicast groups. */
    MCAST("mcast", 64),
    /** Multicast groups that it created, or that were left to it by who created them. */
    GROUP("group", 16),
    /**
     * Bytes of frames that the device domain takes for the domain: a page for each context, rings
     * of forwarded queues. The default is the pages, and as much again as the domain's memory if
     * the topology lets it forward.
     */
    BACKING("backing", 0),
    /**
     * Forwarded contexts, for each of which a thread of the device domain sends completions; as
     * many as contexts unless the topology says so.
     */
    PUMP("pump", 0),
    /** Bytes that records of its verbs may add to the journal in a second. */
    JOURNAL("journal", 8 << 20);

    /** Multicast groups of the subnet. */
    public static final int SUBNET_GROUPS = 1024;

    private static final String PREFIX = "quota.";

    private final String key;
    private final long standard;

    QuotaKind(String key, long standard) {
        this.key = key;
        this.standard = standard;
    }

    public String key() {
        return key;
    }

    /** The setting that carries it. */
    String setting() {
        return PREFIX + key;
    }

    /** Its value where the topology says nothing; 0: depends on the domain. */
    long standard() {
        return standard;
    }

    /** What the HCA has of it for all domains together; empty if the HCA sets no bound. */
    OptionalLong deviceLimit(HcaLimits limits) {
        return switch (this) {
            case QP -> OptionalLong.of(limits.maxQp());
            case CQ -> OptionalLong.of(limits.maxCq());
            case MR -> OptionalLong.of(limits.maxRegions());
            case PD -> OptionalLong.of(limits.maxPd());
            case UAR -> OptionalLong.of(limits.maxUar());
            case AH -> OptionalLong.of(limits.maxAh());
            case MCAST -> OptionalLong.of(limits.maxMulticast());
            case SRQ -> OptionalLong.of(limits.maxSrq());
            case MW -> OptionalLong.of(limits.maxWindows());
            case GROUP -> OptionalLong.of(SUBNET_GROUPS);
            case CQE, REGISTERED, CONTROL_RATE, EVENTS, RING, CM, SA, BACKING, PUMP, JOURNAL -> OptionalLong.empty();
        };
    }

    /** Whether it is an amount of memory or disk rather than a number. */
    boolean countsBytes() {
        return switch (this) {
            case REGISTERED, BACKING, JOURNAL -> true;
            default -> false;
        };
    }

    /** Whether it counts what is made and ended one by one. */
    boolean countsObjects() {
        return switch (this) {
            case QP, CQ, MR, PD, AH, SRQ, UAR, RING, CM, SA, MW, MCAST -> true;
            // A group ends with its joins, which are objects.
            case CQE, REGISTERED, CONTROL_RATE, EVENTS, GROUP, BACKING, PUMP, JOURNAL -> false;
        };
    }

    /** The kind that a setting's name means; empty if it is no quota of ours. */
    static Optional<QuotaKind> ofSetting(String name) {
        for (QuotaKind kind : values()) {
            if (kind.setting().equals(name)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    static boolean isQuotaSetting(String name) {
        return name.startsWith(PREFIX);
    }
}
