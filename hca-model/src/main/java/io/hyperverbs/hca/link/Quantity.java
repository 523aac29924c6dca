package io.hyperverbs.hca.link;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units as topologies write them, both ways: what is printed is exactly what was read. Immutable. */
final class Quantity {
    /** All of it, as a {@link #SHARE}. */
    static final int BILLION = 1_000_000_000;

    /** Nanoseconds. */
    static final Quantity TIME = new Quantity(List.of("ns", "us", "ms", "s"), List.of(1, 1_000, 1_000_000, BILLION));

    /** Bytes. */
    static final Quantity SIZE = new Quantity(List.of("B", "KiB", "MiB", "GiB"), List.of(1, 1 << 10, 1 << 20, 1 << 30));

    /** Bits in a second. */
    static final Quantity RATE =
            new Quantity(List.of("bit", "kbit", "Mbit", "Gbit"), List.of(1, 1_000, 1_000_000, BILLION));

    /** Parts of a billion. */
    static final Quantity SHARE = new Quantity(List.of("%"), List.of(BILLION / 100));

    private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z%]+)");

    private final List<String> names;
    private final List<Integer> sizes;

    private Quantity(List<String> names, List<Integer> sizes) {
        this.names = names;
        this.sizes = sizes;
    }

    /**
     * The number in such as {@code 10us}.
     *
     * @throws IllegalArgumentException if it is none, or has more digits than can be kept
     */
    long parse(String text) {
        Matcher matcher = NUMBER.matcher(text.strip());
        int unit = matcher.matches() ? names.indexOf(matcher.group(2)) : -1;
        if (unit < 0) {
            throw new IllegalArgumentException("'" + text + "' is no number with " + String.join(", ", names));
        }
        long value;
        try {
            value = new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(sizes.get(unit)))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is too large or too small", e);
        }
        if (this == SHARE && value > BILLION) {
            throw new IllegalArgumentException("'" + text + "' is more than 100%");
        }
        return value;
    }

    /** The number in the largest unit of which it is a whole multiple; shares in percent. */
    String format(long value) {
        if (this == SHARE) {
            return BigDecimal.valueOf(value, 7).stripTrailingZeros().toPlainString() + "%";
        }
        int unit = names.size() - 1;
        while (value % sizes.get(unit) != 0) {
            unit--;
        }
        return value / sizes.get(unit) + names.get(unit);
    }
}
