package io.hyperverbs.backend.mad;

import io.hyperverbs.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * What the private data of a REQ begins with if its service id is one of the RDMA IP CM service (IBA annex A11): 36 bytes
 * from byte 164 on, big-endian. Written by the manager of the active side, as rdma_cm does, read by that of the passive
 * one; neither program sees it.
 *
 * <pre>
 *  byte   +0               +1               +2
 *  164  | version (0)    | IP version, 0  | source port                     |  8; 4, 4; 16 bits
 *  168  | source IP address, 16 bytes                                       |
 *  184  | destination IP address, 16 bytes                                  |
 * </pre>
 *
 * An IPv4 address is in the last 4 of 16 bytes, behind zeroes. Here it is a GID, {@code ::ffff:a.b.c.d}, as that of the
 * port.
 */
public final class IpHeaderLayout {
    public static final int SIZE_BYTES = 36;

    static final NumberField CM_VERSION = NumberField.at(164, 8);
    static final NumberField IP_VERSION = NumberField.bits(165, 0, 4);
    static final NumberField SOURCE_PORT = NumberField.at(166, 16);
    static final GidField SOURCE = GidField.at(168);
    static final GidField DESTINATION = GidField.at(184);

    /** Service ids of the RDMA IP CM service: one byte of protocol, two of port behind this. */
    private static final long SERVICE_PREFIX = 1;

    private static final int SERVICE_SHIFT = 24;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    private IpHeaderLayout() {}

    /** The addresses of a REQ; what it says of IPv4 is IPv4-mapped. */
    public record Addresses(int sourcePort, Gid source, Gid destination) {}

    /** Whether REQs to that service id have this header. */
    public static boolean isIpService(long serviceId) {
        return serviceId >>> SERVICE_SHIFT == SERVICE_PREFIX;
    }

    /** Writes it; of two IPv4-mapped addresses as IPv4, else as IPv6. */
    public static void set(byte[] mad, Addresses addresses) {
        boolean isIpv4 = addresses.source.isIpv4() && addresses.destination.isIpv4();
        CM_VERSION.set(mad, 0);
        IP_VERSION.set(mad, isIpv4 ? IPV4 : IPV6);
        SOURCE_PORT.set(mad, addresses.sourcePort);
        SOURCE.set(mad, isIpv4 ? unmapped(addresses.source) : addresses.source);
        DESTINATION.set(mad, isIpv4 ? unmapped(addresses.destination) : addresses.destination);
    }

    /** Reads it; null if its version or that of IP is another one. */
    public static @Nullable Addresses get(byte[] mad) {
        int version = IP_VERSION.getInt(mad);
        if (CM_VERSION.get(mad) != 0 || (version != IPV4 && version != IPV6)) {
            return null;
        }
        Gid source = SOURCE.get(mad);
        Gid destination = DESTINATION.get(mad);
        boolean isIpv4 = version == IPV4;
        return new Addresses(
                SOURCE_PORT.getInt(mad),
                isIpv4 ? Gid.ofIpv4(source.ipv4()) : source,
                isIpv4 ? Gid.ofIpv4(destination.ipv4()) : destination);
    }

    private static Gid unmapped(Gid gid) {
        return new Gid(0, gid.ipv4() & 0xffff_ffffL);
    }
}
