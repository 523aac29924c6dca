package io.hyperverbs.launcher.topology;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes (B, KiB, MiB, GiB) and times (us, ms, s, m, h), both ways. */
public final class Units {
    private static final Pattern QUANTITY = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z]*)");
    private static final Map<String, Long> BYTES =
            Map.of("", 1L, "B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> NANOS = Map.of(
            "", 1_000_000_000L,
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private Units() {}

    /**
     * Bytes of a size such as {@code 64MiB}; without a unit the number is bytes.
     *
     * @throws IllegalArgumentException for another unit, a broken number of bytes or no number
     */
    public static long bytes(String text) {
        return quantity(text, BYTES, "B, KiB, MiB or GiB");
    }

    /**
     * The time in such as {@code 500ms}; without a unit the number is seconds.
     *
     * @throws IllegalArgumentException for another unit or no number
     */
    public static Duration duration(String text) {
        return Duration.ofNanos(quantity(text, NANOS, "us, ms, s, m or h"));
    }

    private static long quantity(String text, Map<String, Long> units, String allowed) {
        Matcher matcher = QUANTITY.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a number with a unit (" + allowed + ")");
        }
        Long unit = units.get(matcher.group(2));
        if (unit == null) {
            throw new IllegalArgumentException("unit '" + matcher.group(2) + "' in '" + text + "', must be " + allowed);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(unit))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is too large or not whole", e);
        }
    }

    /** A size as people read it, such as {@code 64MiB} or {@code 1.5KiB}. */
    public static String formatBytes(long bytes) {
        if (bytes >= 1L << 30) {
            return scaled(bytes, 1L << 30, "GiB");
        }
        if (bytes >= 1L << 20) {
            return scaled(bytes, 1L << 20, "MiB");
        }
        return bytes >= 1L << 10 ? scaled(bytes, 1L << 10, "KiB") : bytes + "B";
    }

    private static String scaled(long bytes, long unit, String name) {
        return bytes % unit == 0
                ? bytes / unit + name
                : String.format(Locale.ROOT, "%.1f%s", (double) bytes / unit, name);
    }
}
