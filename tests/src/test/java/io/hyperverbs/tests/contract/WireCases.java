package io.hyperverbs.tests.contract;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Cases of the contract on a wire: those that are otherwise there, and why (docs/wire.md). */
final class WireCases {
    private static final String NAK = "a NAK does not say which check failed";
    private static final String GRH = "RoCEv2 has no packet without a GRH";
    private static final String SL = "a packet of RoCEv2 has no service level";
    private static final String MGID = "the GRH has the IPv4 address of the group";

    /** On any wire. */
    static final Map<String, String> OTHERWISE = Map.ofEntries(
            Map.entry("errors.says-which-rkey", NAK),
            Map.entry("qp.explains-foreign-rkey", NAK),
            Map.entry("qp.explains-misaligned-atomic", NAK),
            Map.entry("qp.explains-queue-pair-rights", NAK),
            Map.entry("qp.explains-receive-protection", NAK),
            Map.entry("qp.explains-receive-too-small", NAK),
            Map.entry("qp.explains-remote-range", NAK),
            Map.entry("qp.explains-remote-rights", NAK),
            Map.entry("ud.send-of-0", GRH),
            Map.entry("ud.send-of-1", GRH),
            Map.entry("ud.send-of-2047", GRH),
            Map.entry("ud.send-of-2048", GRH),
            Map.entry("ud.reply-by-completion", GRH),
            Map.entry("ud.receive-exactly-fits", GRH),
            Map.entry("ah.to-port-by-lid", GRH),
            Map.entry("ud.completion-names-the-sender", SL),
            Map.entry("ud.reply-by-header", SL),
            Map.entry("ud.grh-says-what-the-handle-said", "the two lowest bits of the traffic class are ECN's"),
            Map.entry("ah.gid-of-no-guest-drops", "an IPv4 address is a port's, not a domain's"),
            Map.entry("uc.peer-connected-elsewhere-drops", "a request of UC has left before it arrives"));

    /** Between two HCAs besides: groups of one HCA do not need its wire. */
    private static final Map<String, String> OTHERWISE_BETWEEN = Map.ofEntries(
            Map.entry("multicast.attach-in-reset", MGID),
            Map.entry("multicast.attached-twice-gets-one", MGID),
            Map.entry("multicast.attachment-outlives-reset", MGID),
            Map.entry("multicast.detached-gets-nothing", MGID),
            Map.entry("multicast.empty-group-drops", MGID),
            Map.entry("multicast.members-on-both-ports", MGID),
            Map.entry("multicast.not-attached-hears-nothing", MGID),
            Map.entry("multicast.other-qkey-drops-for-one", MGID),
            Map.entry("multicast.other-qpn-drops", MGID),
            Map.entry("multicast.sender-is-a-member", MGID),
            Map.entry("multicast.two-groups-of-one-queue-pair", MGID),
            Map.entry("multicast.same-gid-other-lid", "a group is its IPv4 address alone"));

    /**
     * Cases whose sides share a buffer, a PD or a port, that name the guest itself, or that wait for an answer of
     * another HCA's manager, which needs a thread of its own.
     */
    static final Set<String> ONE_DOMAIN = Set.of(
            "ah.to-guest-by-gid",
            "ah.to-guest-by-path-record",
            "async.one-context-many-queue-pairs",
            "cm.connects-unreliable",
            "cm.resolve-unknown-guest",
            "mr.dma-key-receive",
            "mr.rereg-quota",
            "mr.rereg-translation-stops-writes",
            "mw.bind-type-2-twice-other-qp",
            "mw.local-inv-window-of-another-qp",
            "mw.send-inv-window-of-another-qp",
            "mw.type-1-any-queue-pair",
            "mw.type-2-destroy-queue-pair",
            "mw.type-2-other-queue-pair",
            "port.bad-pkeys-counted",
            "port.read-from-port-to-port",
            "port.read-through-last-port",
            "port.send-from-port-to-port",
            "port.send-through-last-port",
            "port.write-from-port-to-port",
            "port.write-through-last-port",
            "rc.pairs-apart",
            "sa.path-to-unknown-guest",
            "ud.one-sender-many-receivers",
            "ud.other-pkey-drops-and-counts",
            "ud.qkey-high-bit-sends-own");

    private WireCases() {}

    /** What does not hold between two HCAs as it stands. */
    static Set<String> notBetween() {
        Set<String> all = new TreeSet<>(otherwiseBetween().keySet());
        all.addAll(ONE_DOMAIN);
        return all;
    }

    /** All that is otherwise between two HCAs. */
    static Map<String, String> otherwiseBetween() {
        Map<String, String> all = new TreeMap<>(OTHERWISE);
        all.putAll(OTHERWISE_BETWEEN);
        return all;
    }
}
