package io.hyperverbs.hca.port;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** IPv4 addresses as numbers, the first byte in the highest bits, and as text. */
public final class Ipv4 {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})\\.([0-9]{1,3})");
    private static final int BYTES = 4;

    private Ipv4() {}

    /**
     * Reads {@code a.b.c.d}, four decimal numbers without leading zeroes.
     *
     * @throws IllegalArgumentException if {@code text} is anything else
     */
    public static int parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no IPv4 address");
        }
        int address = 0;
        for (int i = 1; i <= BYTES; i++) {
            String part = matcher.group(i);
            int number = Integer.parseInt(part);
            if (number > 255 || !part.equals(Integer.toString(number))) {
                throw new IllegalArgumentException("'" + text + "' is no IPv4 address: " + part);
            }
            address = address << 8 | number;
        }
        return address;
    }

    /** As {@link #parse} reads it. */
    public static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }

    /** Whether one host can have it: neither 0.x.x.x, nor a multicast group's, nor above those. */
    public static boolean isHosts(int address) {
        int first = address >>> 24;
        return first > 0 && first < 224;
    }
}
