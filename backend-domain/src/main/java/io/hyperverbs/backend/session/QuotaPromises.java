package io.hyperverbs.backend.session;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.verbs.VerbsStatus;

import java.util.EnumMap;
import java.util.OptionalLong;

/**
 * What was promised to all domains together: never more than the card has, so that a domain within
 * its quota is never refused because of another. Any thread.
 */
public final class QuotaPromises {
    private final HcaLimits limits;
    private final EnumMap<QuotaKind, Long> promised = new EnumMap<>(QuotaKind.class);

    public QuotaPromises(HcaLimits limits) {
        this.limits = limits;
    }

    /**
     * Promises a domain its quota, all or nothing.
     *
     * @throws Refusal ENOMEM with the arithmetic
     */
    public synchronized void promise(String domainName, Quota quota) throws Refusal {
        for (QuotaKind kind : QuotaKind.values()) {
            OptionalLong device = kind.deviceLimit(limits);
            if (device.isPresent() && quota.max(kind) > device.getAsLong() - promised(kind)) {
                throw new Refusal(
                        VerbsStatus.ENOMEM,
                        "quota "
                                + kind.key()
                                + " of "
                                + domainName
                                + ": "
                                + quota.max(kind)
                                + " asked for, the HCA has "
                                + device.getAsLong()
                                + " - "
                                + promised(kind)
                                + " promised to others = "
                                + (device.getAsLong() - promised(kind)));
            }
        }
        add(quota, 1);
    }

    public synchronized void withdraw(Quota quota) {
        add(quota, -1);
    }

    private void add(Quota quota, int sign) {
        for (QuotaKind kind : QuotaKind.values()) {
            if (kind.deviceLimit(limits).isPresent()) {
                promised.put(kind, promised(kind) + sign * quota.max(kind));
            }
        }
    }

    private long promised(QuotaKind kind) {
        return promised.getOrDefault(kind, 0L);
    }
}
