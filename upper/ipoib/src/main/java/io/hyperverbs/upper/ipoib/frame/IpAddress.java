package io.hyperverbs.upper.ipoib.frame;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;

/**
 * An address of IPv4 or IPv6, 128 bits; one of IPv4 is {@code ::ffff:a.b.c.d}, so that one table has both.
 *
 * @param high its first eight bytes, as the number they are in network order
 * @param low its last eight bytes
 */
public record IpAddress(long high, long low) {
    /** Bytes of an IPv4 address in a packet. */
    public static final int IPV4_BYTES = 4;

    /** Bytes of an IPv6 address in a packet. */
    public static final int IPV6_BYTES = 16;

    /** {@code ::}: the source of a node that has no address yet (RFC 4291 §2.5.2). */
    public static final IpAddress UNSPECIFIED = new IpAddress(0, 0);

    /** 0.0.0.0: the same for IPv4. */
    public static final IpAddress UNSPECIFIED_IPV4 = ofIpv4(0);

    /** 255.255.255.255: all nodes of the link. */
    public static final IpAddress BROADCAST = ofIpv4(-1);

    /** {@code ff02::1}: all IPv6 nodes of the link. */
    public static final IpAddress ALL_NODES = new IpAddress(0xff02_0000_0000_0000L, 1);

    private static final long IPV4_PREFIX = 0xffffL;
    private static final long SOLICITED_NODE_LOW = 0x1_ff00_0000L;
    private static final int WORDS = 8;

    /**
     * An IPv4 address.
     *
     * @param address its first byte in the highest bits
     */
    public static IpAddress ofIpv4(int address) {
        return new IpAddress(0, ipv4Low(address));
    }

    static long ipv4Low(int address) {
        return IPV4_PREFIX << 32 | (address & 0xffff_ffffL);
    }

    static boolean isIpv4(long high, long low) {
        return high == 0 && low >>> 32 == IPV4_PREFIX;
    }

    /** Reads an IPv4 address of a packet: four bytes. */
    public static IpAddress readIpv4(MemorySegment memory, long at) {
        return ofIpv4(PacketBytes.getInt(memory, at));
    }

    /** Reads an IPv6 address of a packet: 16 bytes. */
    public static IpAddress readIpv6(MemorySegment memory, long at) {
        return new IpAddress(PacketBytes.getLong(memory, at), PacketBytes.getLong(memory, at + 8));
    }

    /**
     * Reads an address from text: {@code 10.0.0.1}, {@code fe80::1}. No name is looked up.
     *
     * @throws IllegalArgumentException if {@code text} is anything else, or names an interface behind a percent sign
     */
    public static IpAddress parse(String text) {
        if (text.indexOf('%') >= 0) {
            throw new IllegalArgumentException(text + " names an interface");
        }
        MemorySegment bytes = MemorySegment.ofArray(InetAddress.ofLiteral(text).getAddress());
        return bytes.byteSize() == IPV4_BYTES ? readIpv4(bytes, 0) : readIpv6(bytes, 0);
    }

    /** Whether it is {@link #ofIpv4} of an address. */
    public boolean isIpv4() {
        return isIpv4(high, low);
    }

    /** The IPv4 address in it, if {@link #isIpv4}; its first byte in the highest bits. */
    public int ipv4() {
        return (int) low;
    }

    /** Whether it is a group's: {@code ff00::/8}, or 224.0.0.0/4. */
    public boolean isMulticast() {
        return isIpv4() ? ipv4() >>> 28 == 0xe : high >>> 56 == 0xff;
    }

    /** Whether it is valid on its link alone: {@code fe80::/10}, or 169.254.0.0/16. */
    public boolean isLinkLocal() {
        return isIpv4() ? ipv4() >>> 16 == 0xa9fe : high >>> 54 == 0x3fa;
    }

    /** Whether it is {@code ::} or 0.0.0.0. */
    public boolean isUnspecified() {
        return equals(UNSPECIFIED) || equals(UNSPECIFIED_IPV4);
    }

    /** Whether it is 255.255.255.255; broadcasts of a subnet depend on its mask, which is the caller's. */
    public boolean isBroadcast() {
        return equals(BROADCAST);
    }

    /** Whether one node may have it: not of a group, not broadcast, not unspecified. */
    public boolean isUnicast() {
        return !isMulticast() && !isBroadcast() && !isUnspecified();
    }

    /**
     * The group in which a node with this address receives solicitations: {@code ff02::1:ff00:0/104} (RFC 4291
     * §2.7.1).
     */
    public IpAddress solicitedNode() {
        return new IpAddress(ALL_NODES.high, SOLICITED_NODE_LOW | (low & 0xff_ffffL));
    }

    /** Writes the four bytes of an IPv4 address. */
    public void writeIpv4(MemorySegment memory, long at) {
        PacketBytes.putInt(memory, at, ipv4());
    }

    /** Writes all 16 bytes. */
    public void writeIpv6(MemorySegment memory, long at) {
        PacketBytes.putLong(memory, at, high);
        PacketBytes.putLong(memory, at + 8, low);
    }

    /** {@code 10.0.0.1}, or as RFC 5952 §4 has it: lower case, the longest run of zeros as {@code ::}. */
    @Override
    public String toString() {
        if (isIpv4()) {
            int all = ipv4();
            return (all >>> 24) + "." + (all >>> 16 & 0xff) + "." + (all >>> 8 & 0xff) + "." + (all & 0xff);
        }
        int zeros = 0;
        int from = WORDS;
        for (int i = 0; i < WORDS; i++) {
            int run = zeroWords(i);
            // A single zero is written out, and of equal runs the first is left out.
            if (run > 1 && run > zeros) {
                zeros = run;
                from = i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            if (i == from) {
                text.append("::");
                i += zeros - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(word(i)));
        }
        return text.toString();
    }

    private int zeroWords(int from) {
        int end = from;
        while (end < WORDS && word(end) == 0) {
            end++;
        }
        return end - from;
    }

    private int word(int index) {
        long half = index < WORDS / 2 ? high : low;
        return (int) (half >>> (48 - index % 4 * 16)) & 0xffff;
    }
}
