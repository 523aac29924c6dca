package io.hyperverbs.launcher.topology;

import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.hca.HcaLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides the HCA among domains that say no quota: each gets the standard one, or less where the
 * HCA has not that much for all. The backend promises no more than the HCA has (design.md 7).
 */
final class QuotaShares {
    private static final List<QuotaKind> SHARED = List.of(
            QuotaKind.QP,
            QuotaKind.CQ,
            QuotaKind.MR,
            QuotaKind.PD,
            QuotaKind.UAR,
            QuotaKind.AH,
            QuotaKind.MCAST,
            QuotaKind.MW,
            QuotaKind.GROUP);

    private QuotaShares() {}

    /** The guests with quotas where the standard does not fit; a share may be 0. */
    static List<Guest> divide(HcaSpec device, List<Guest> guests) {
        Map<String, Long> shares = new LinkedHashMap<>();
        Quota standard = Guest.named("standard").allQuotas();
        for (QuotaKind kind : SHARED) {
            long stated = 0;
            long silent = 0;
            for (Guest guest : guests) {
                Long quota = guest.quota().get(kind.key());
                stated += quota == null ? 0 : quota;
                silent += quota == null ? 1 : 0;
            }
            long free = Math.max(0, limit(device, kind) - stated);
            if (silent > 0 && free / silent < standard.max(kind)) {
                shares.put(kind.key(), free / silent);
            }
        }
        List<Guest> divided = new ArrayList<>();
        for (Guest guest : guests) {
            Map<String, Long> quota = new LinkedHashMap<>(shares);
            quota.putAll(guest.quota());
            divided.add(guest.withQuota(quota));
        }
        return divided;
    }

    private static long limit(HcaSpec device, QuotaKind kind) {
        // A topology cannot set these four.
        return switch (kind) {
            case UAR -> HcaLimits.standard().maxUar();
            case AH -> HcaLimits.standard().maxAh();
            case MCAST -> HcaLimits.standard().maxMulticast();
            case GROUP -> QuotaKind.SUBNET_GROUPS;
            default -> device.limitOf(kind.key());
        };
    }
}
