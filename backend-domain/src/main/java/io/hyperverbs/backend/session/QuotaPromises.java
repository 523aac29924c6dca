package io.hyperverbs.backend.session;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.EnumMap;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * What was promised to all domains together: never more than the HCA has, nor memory that the
 * computer does not have, so that a domain within its quota is never refused because of another.
 * Any thread.
 */
public final class QuotaPromises {
    private static final long MEBIBYTE = 1 << 20;

    private final HcaLimits limits;
    private final LongSupplier spareBytes;
    private final EnumMap<QuotaKind, Long> promised = new EnumMap<>(QuotaKind.class);

    /** Promises of the HCA alone, where memory is no question. */
    public QuotaPromises(HcaLimits limits) {
        this(limits, () -> Long.MAX_VALUE);
    }

    /**
     * @param spareBytes what the computer has to spare now
     */
    public QuotaPromises(HcaLimits limits, LongSupplier spareBytes) {
        this.limits = limits;
        this.spareBytes = spareBytes;
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
        promiseMemory(domainName, quota.max(QuotaKind.BACKING));
        add(quota, 1);
    }

    /** All that was promised may be asked for at any time, so that much has to be there. */
    private void promiseMemory(String domainName, long bytes) throws Refusal {
        long promised = promised(QuotaKind.BACKING);
        long spare = spareBytes.getAsLong();
        if (bytes > spare - promised) {
            throw new Refusal(
                    VerbsStatus.ENOMEM,
                    "quota backing of "
                            + domainName
                            + ": "
                            + mebibytes(bytes)
                            + " MiB asked for, the computer has "
                            + mebibytes(spare)
                            + " - "
                            + mebibytes(promised)
                            + " promised to others = "
                            + mebibytes(spare - promised));
        }
    }

    private static long mebibytes(long bytes) {
        return Math.floorDiv(bytes, MEBIBYTE);
    }

    public synchronized void withdraw(Quota quota) {
        add(quota, -1);
    }

    private void add(Quota quota, int sign) {
        for (QuotaKind kind : QuotaKind.values()) {
            if (kind == QuotaKind.BACKING || kind.deviceLimit(limits).isPresent()) {
                promised.put(kind, promised(kind) + sign * quota.max(kind));
            }
        }
    }

    private long promised(QuotaKind kind) {
        return promised.getOrDefault(kind, 0L);
    }
}
