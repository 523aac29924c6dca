package io.hyperverbs.vmm.envelope;

import java.util.Map;

/**
 * What one guest may take of the computer.
 *
 * @param memoryBytes of all its processes beside its RAM, which the VMM takes: private pages, page
 *     tables, pipes and sockets, files in memory
 * @param processes threads count
 * @param weight its share of processor time beside other guests; at least 1
 */
public record GuestLimits(long memoryBytes, int processes, int weight) {
    /**
     * More than a process may have of private data (1 GiB), its /tmp and {@code out} (64 MiB each)
     * and 128 MiB of the kernel's own: an honest guest meets those limits first, which refuse and
     * do not end it.
     */
    public static final long MEMORY_BYTES = 1280L << 20;

    /** A JVM with gRPC has about thirty; a few more make the sandbox. */
    public static final int PROCESSES = 1024;

    /** Settings of a domain that say otherwise: bytes, and a weight from 1. */
    public static final String MEMORY_SETTING = "host-memory";

    private static final String WEIGHT_SETTING = "weight";

    /** Of a guest with this weight. */
    public static GuestLimits standard(int weight) {
        return new GuestLimits(MEMORY_BYTES, PROCESSES, weight);
    }

    /**
     * What a domain's settings say; the standard where nothing is said.
     *
     * @throws IllegalArgumentException for a number that is none, or not positive
     */
    public static GuestLimits of(Map<String, String> settings) {
        return new GuestLimits(number(settings, MEMORY_SETTING, MEMORY_BYTES), PROCESSES, (int)
                Math.min(Integer.MAX_VALUE, number(settings, WEIGHT_SETTING, 1)));
    }

    private static long number(Map<String, String> settings, String name, long standard) {
        String value = settings.get(name);
        if (value == null) {
            return standard;
        }
        if (!value.matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(name + " " + value + ", must be 1 or more");
        }
        return Long.parseLong(value);
    }
}
