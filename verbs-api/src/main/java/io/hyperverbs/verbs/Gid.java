package io.hyperverbs.verbs;

import java.util.Locale;

/**
 * A global identifier of a port: 128 bits ({@code ibv_gid}).
 *
 * @param prefix the subnet's half
 * @param interfaceId the port's half
 */
public record Gid(long prefix, long interfaceId) {
    /** Prefix of every subnet that is not routed. */
    public static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;

    /** Whether the table entry it came from is not set. */
    public boolean isZero() {
        return prefix == 0 && interfaceId == 0;
    }

    /** Eight groups of four hexadecimal digits, as {@code ibv_devinfo} prints it. */
    @Override
    public String toString() {
        return half(prefix) + ":" + half(interfaceId);
    }

    /** Four groups of four hexadecimal digits, as GUIDs are written. */
    public static String half(long guid) {
        return String.format(
                Locale.ROOT,
                "%04x:%04x:%04x:%04x",
                guid >>> 48,
                guid >>> 32 & 0xffff,
                guid >>> 16 & 0xffff,
                guid & 0xffff);
    }
}
