package io.hyperverbs.lab.run.check;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.launcher.topology.Guest;
import java.util.Locale;
import java.util.Map;

/** A way to the HCA that is checked; one domain each. */
public enum CheckedPath {
    NATIVE,
    BYPASS,
    FORWARDED,
    FORWARDED_UNARY;

    /** As on the command line; the name of its domain too. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The path that {@link #word} names.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static CheckedPath of(String word) {
        for (CheckedPath path : values()) {
            if (path.word().equals(word)) {
                return path;
            }
        }
        throw new IllegalArgumentException("no path is called " + word);
    }

    /**
     * A domain whose contexts open on this path. Its verbs are as many a second as it can ask for:
     * a fast path would pass the standard quota, which is no part of what is checked.
     */
    public Guest guest() {
        Guest standard = Guest.named(word()).withQuota(Map.of(QuotaKind.CONTROL_RATE.key(), 10_000_000L));
        return this == NATIVE ? standard.asNative() : standard.onPath(word());
    }
}
