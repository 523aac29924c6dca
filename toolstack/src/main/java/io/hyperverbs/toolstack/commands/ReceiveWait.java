package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.io.AttributeText;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request whose peer has no receive for it: how long it waits, and where a receive is missing.
 */
final class ReceiveWait {
    static final String KEY = "waiting";

    private final List<HcaView.Qp> all;
    private final List<DomainReport> domains;
    private final long nowNanos;

    /**
     * @param all queue pairs of the HCA, to find the peers among
     * @param nowNanos by {@link System#nanoTime}
     */
    ReceiveWait(List<HcaView.Qp> all, List<DomainReport> domains, long nowNanos) {
        this.all = all;
        this.domains = domains;
        this.nowNanos = nowNanos;
    }

    /** Puts an object under {@link #KEY}, or null if the queue pair waits for no receive. */
    void addTo(ObjectNode node, HcaView.Qp qp) {
        if (qp.rnrNaks() == 0) {
            node.putNull(KEY);
            return;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, nowNanos - qp.rnrSinceNanos()));
        node.putObject(KEY)
                .put("millis", millis)
                .put("rnr_naks", qp.rnrNaks())
                .put("domain", domainOf(qp.peerQpn()))
                .put("qpn", qp.peerQpn());
    }

    private @Nullable String domainOf(int qpn) {
        for (HcaView.Qp peer : all) {
            for (DomainReport domain : domains) {
                if (peer.qpn() == qpn && domain.id() == peer.domain()) {
                    return domain.name();
                }
            }
        }
        return null;
    }

    /** The same for people, to follow the key: {@code 8.1 s for a receive at b qp 0x0012ab ...}. */
    static String words(JsonNode waiting) {
        JsonNode domain = waiting.get("domain");
        return String.format(
                Locale.ROOT,
                "%.1f s for a receive at %sqp %s (RNR %d)",
                waiting.get("millis").asLong() / 1e3,
                domain.isNull() ? "" : domain.asString() + " ",
                AttributeText.number24(waiting.get("qpn").asLong()),
                waiting.get("rnr_naks").asLong());
    }
}
