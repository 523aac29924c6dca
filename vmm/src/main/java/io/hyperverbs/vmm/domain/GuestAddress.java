package io.hyperverbs.vmm.domain;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The IPv4 address of a guest on the network that IP over InfiniBand is: one network for each partition.
 *
 * @param address its first byte in the highest bits
 * @param prefixLength of the network that its address is in, {@value #LEAST_PREFIX} to {@value #MOST_PREFIX}
 * @param pkey P_Key of the partition, 16 bits
 * @param connected whether its packets go by connections (RFC 4755), and may be longer than datagrams
 */
public record GuestAddress(int address, int prefixLength, int pkey, boolean connected) {
    /** Setting of a guest that has one, as {@link #parse} reads it. */
    public static final String SETTING = "ip.address";

    /** Setting: the P_Key, as {@link Integer#decode} reads it. */
    public static final String PKEY_SETTING = "ip.pkey";

    /** Setting: {@value #DATAGRAM} or {@value #CONNECTED}. */
    public static final String MODE_SETTING = "ip.mode";

    public static final String DATAGRAM = "datagram";
    public static final String CONNECTED = "connected";

    /** The longest packet in connected mode, as of Linux's driver: 64 KiB less room for headers. */
    public static final int CONNECTED_MTU_BYTES = 65_520;

    /** Setting: main class of the program that carries its packets, on the guest's class path. */
    public static final String DRIVER_SETTING = "ip.driver";

    /** Name of the interface, as of the kernel's own driver. */
    public static final String INTERFACE = "ib0";

    public static final int LEAST_PREFIX = 8;
    public static final int MOST_PREFIX = 30;

    /** Of guests that name none: full members of the default partition. */
    public static final int DEFAULT_PKEY = 0xffff;

    private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");

    /** One in the default partition, in datagram mode. */
    public GuestAddress(int address, int prefixLength) {
        this(address, prefixLength, DEFAULT_PKEY, false);
    }

    /** The same in that partition. */
    public GuestAddress in(int partition) {
        return new GuestAddress(address, prefixLength, partition, connected);
    }

    /**
     * The same in that mode.
     *
     * @throws IllegalArgumentException if it is none
     */
    public GuestAddress inMode(String mode) {
        boolean wanted = switch (mode) {
            case CONNECTED -> true;
            case DATAGRAM -> false;
            default ->
                throw new IllegalArgumentException("mode " + mode + ", must be " + DATAGRAM + " or " + CONNECTED);
        };
        return new GuestAddress(address, prefixLength, pkey, wanted);
    }

    /** Setting of its mode. */
    public String mode() {
        return connected ? CONNECTED : DATAGRAM;
    }

    /**
     * Reads {@code a.b.c.d/length}: a host's address, neither the network's own nor its broadcast address.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static GuestAddress parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("address " + text + ", must be like 10.1.0.1/24");
        }
        int address = 0;
        for (int i = 1; i <= Integer.BYTES; i++) {
            int number = Integer.parseInt(form.group(i));
            if (number > 0xff) {
                throw new IllegalArgumentException("address " + text + ": " + number + " is above 255");
            }
            address = address << Byte.SIZE | number;
        }
        int length = Integer.parseInt(form.group(Integer.BYTES + 1));
        if (length < LEAST_PREFIX || length > MOST_PREFIX) {
            throw new IllegalArgumentException(
                    "network of " + text + ", its prefix must be " + LEAST_PREFIX + " to " + MOST_PREFIX + " long");
        }
        GuestAddress read = new GuestAddress(address, length);
        int first = address >>> 24;
        if (first == 0 || first == 127 || first >= 224) {
            throw new IllegalArgumentException("address " + text + " is no host's");
        }
        if ((address | read.mask()) == read.mask() || (address | read.mask()) == -1) {
            throw new IllegalArgumentException("address " + text + " is that of its network, or its broadcast address");
        }
        return read;
    }

    /** That of a guest with these settings. */
    public static Optional<GuestAddress> of(Map<String, String> settings) {
        int pkey = Integer.decode(settings.getOrDefault(PKEY_SETTING, Integer.toString(DEFAULT_PKEY)));
        String mode = settings.getOrDefault(MODE_SETTING, DATAGRAM);
        return Optional.ofNullable(settings.get(SETTING))
                .map(text -> parse(text).in(pkey).inMode(mode));
    }

    /** Bits of the network. */
    public int mask() {
        return -1 << (Integer.SIZE - prefixLength);
    }

    /** The address alone. */
    public String host() {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    }

    /** As {@link #parse} reads it: without partition and mode. */
    @Override
    public String toString() {
        return host() + "/" + prefixLength;
    }
}
