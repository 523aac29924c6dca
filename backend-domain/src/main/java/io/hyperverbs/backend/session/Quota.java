package io.hyperverbs.backend.session;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How much one domain may have, and has. Under its session's lock; maxima from any thread. */
public final class Quota {
    private static final long REGISTERED_PER_RAM = 4;
    private static final long MEBIBYTE = 1 << 20;

    private final EnumMap<QuotaKind, Long> maxima = new EnumMap<>(QuotaKind.class);
    private final EnumMap<QuotaKind, Long> used = new EnumMap<>(QuotaKind.class);

    private Quota() {}

    /**
     * The quota that a domain's settings give it.
     *
     * @param ramBytes size of its memory
     * @throws Refusal EINVAL for an unknown quota or a number that is none
     */
    public static Quota of(Map<String, String> settings, long ramBytes) throws Refusal {
        Quota quota = new Quota();
        for (QuotaKind kind : QuotaKind.values()) {
            quota.maxima.put(kind, kind.standard());
            quota.used.put(kind, 0L);
        }
        quota.maxima.put(QuotaKind.REGISTERED, Math.multiplyExact(REGISTERED_PER_RAM, ramBytes));
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            if (QuotaKind.isQuotaSetting(setting.getKey())) {
                QuotaKind kind = QuotaKind.ofSetting(setting.getKey()).orElseThrow(() -> unknown(setting.getKey()));
                quota.maxima.put(kind, number(setting.getKey(), setting.getValue()));
            }
        }
        if (!settings.containsKey(QuotaKind.SRQ.setting())) {
            quota.maxima.put(QuotaKind.SRQ, Math.min(QuotaKind.SRQ.standard(), quota.max(QuotaKind.QP)));
        }
        if (!settings.containsKey(QuotaKind.RING.setting())) {
            quota.maxima.put(
                    QuotaKind.RING,
                    Math.min(
                            HandleTable.MAX_CAPACITY,
                            quota.max(QuotaKind.QP) + quota.max(QuotaKind.CQ) + quota.max(QuotaKind.SRQ) + 1));
        }
        if (!settings.containsKey(QuotaKind.PUMP.setting())) {
            quota.maxima.put(QuotaKind.PUMP, quota.max(QuotaKind.UAR));
        }
        if (!settings.containsKey(QuotaKind.BACKING.setting())) {
            long pages = quota.max(QuotaKind.UAR) * FrameRun.FRAME_BYTES;
            quota.maxima.put(QuotaKind.BACKING, DataPaths.of(settings).isForwarding() ? pages + ramBytes : pages);
        }
        return quota;
    }

    /** The most objects of all kinds together that can be there to be ended. */
    public long maxObjects() {
        long sum = 0;
        for (QuotaKind kind : QuotaKind.values()) {
            sum += kind.countsObjects() ? max(kind) : 0;
        }
        return sum;
    }

    /** Refuses with EAGAIN if {@code amount} more of it would be too much. No effect. */
    public void check(QuotaKind kind, long amount) throws Refusal {
        check(kind, used(kind), amount);
    }

    /** The same where who asks counts what is in use itself. */
    public void check(QuotaKind kind, long now, long amount) throws Refusal {
        long max = max(kind);
        if (amount > max - now) {
            throw new Refusal(VerbsStatus.EAGAIN, "quota " + kind.key() + ": " + arithmetic(kind, now, max, amount));
        }
    }

    /** Takes what {@link #check} allowed. */
    public void take(QuotaKind kind, long amount) {
        long now = used(kind) + amount;
        if (now > max(kind)) {
            throw new IllegalStateException("quota " + kind.key() + " taken without a check");
        }
        used.put(kind, now);
    }

    public void giveBack(QuotaKind kind, long amount) {
        long now = used(kind) - amount;
        if (now < 0) {
            throw new IllegalStateException("quota " + kind.key() + " given back twice");
        }
        used.put(kind, now);
    }

    public long max(QuotaKind kind) {
        return maxima.getOrDefault(kind, 0L);
    }

    public long used(QuotaKind kind) {
        return used.getOrDefault(kind, 0L);
    }

    /** {@code 12 of 64 MiB in use, 60 more asked for}: bytes in MiB once there is one. */
    private static String arithmetic(QuotaKind kind, long now, long max, long amount) {
        boolean inMebibytes = kind.countsBytes() && Math.max(max, amount) >= MEBIBYTE;
        String unit = inMebibytes ? " MiB" : kind.countsBytes() ? " bytes" : "";
        return amount(now, inMebibytes)
                + " of "
                + amount(max, inMebibytes)
                + unit
                + " in use, "
                + amount(amount, inMebibytes)
                + " more asked for";
    }

    private static String amount(long value, boolean inMebibytes) {
        if (!inMebibytes) {
            return Long.toString(value);
        }
        return value % MEBIBYTE == 0
                ? Long.toString(value / MEBIBYTE)
                : String.format(Locale.ROOT, "%.1f", (double) value / MEBIBYTE);
    }

    private static long number(String setting, String value) throws Refusal {
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, like any other value that is not allowed.
        }
        throw new Refusal(VerbsStatus.EINVAL, setting + " " + value + ", must be a whole number from 0");
    }

    private static Refusal unknown(String setting) {
        return new Refusal(VerbsStatus.EINVAL, setting + " is not a quota");
    }
}
