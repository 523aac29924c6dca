package io.hyperverbs.verbs;

import java.util.Locale;

/**
 * A global identifier, 128 bits ({@code union ibv_gid}): both halves as the numbers they are in
 * network order.
 *
 * @param prefix the subnet's half, or the upper half of a multicast group's address
 * @param interfaceId the port's half, or the lower half
 */
public record Gid(long prefix, long interfaceId) {
    /** Prefix of every subnet that is not routed. */
    public static final long LINK_LOCAL_PREFIX = 0xfe80_0000_0000_0000L;

    private static final long IPV4_PREFIX = 0xffff_0000_0000L;
    private static final int WORDS = 8;

    /** The GID of a port with an IPv4 address: {@code ::ffff:a.b.c.d} (IBA annex A17). */
    public static Gid ofIpv4(int address) {
        return new Gid(0, ipv4InterfaceId(address));
    }

    static long ipv4InterfaceId(int address) {
        return IPV4_PREFIX | (address & 0xffff_ffffL);
    }

    /** Whether it is {@link #ofIpv4} of an address. */
    public boolean isIpv4() {
        return prefix == 0 && interfaceId >>> 32 == IPV4_PREFIX >>> 32;
    }

    /** The IPv4 address in it, if {@link #isIpv4}; its first byte in the highest bits. */
    public int ipv4() {
        return (int) interfaceId;
    }

    /** Whether it names a multicast group: {@code ff00::/8}, or that of an IPv4 group. */
    public boolean isMulticast() {
        return prefix >>> 56 == 0xff || (isIpv4() && ipv4() >>> 28 == 0xe);
    }

    /** Whether the table entry it came from is not set. */
    public boolean isZero() {
        return prefix == 0 && interfaceId == 0;
    }

    /**
     * Reads back what {@link #toString} wrote: eight groups of hexadecimal digits.
     *
     * @throws IllegalArgumentException if {@code text} is anything else
     */
    public static Gid parse(String text) {
        String[] words = text.split(":", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("GID of " + words.length + " groups, must be 8");
        }
        long[] halves = new long[2];
        for (int i = 0; i < WORDS; i++) {
            int word = Integer.parseInt(words[i], 16);
            if (word < 0 || word > 0xffff) {
                throw new IllegalArgumentException("group " + words[i] + " of a GID");
            }
            halves[i / 4] = halves[i / 4] << 16 | word;
        }
        return new Gid(halves[0], halves[1]);
    }

    /** As {@code ibv_devinfo -v} prints it: {@code fe80:0000:0000:0000:0248:5600:0000:0101}. */
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
