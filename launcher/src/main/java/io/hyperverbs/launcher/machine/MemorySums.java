package io.hyperverbs.launcher.machine;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all processes of a machine may take of the computer's memory together, before any of them is
 * started: a machine that starts has what it promises its guests.
 */
public final class MemorySums {
    private static final long MEBIBYTE = 1L << 20;
    private static final Pattern HEAP = Pattern.compile("-Xmx([0-9]+)m");

    /** Classes, compiled code, stacks and buffers of a JVM beside its heap. */
    private static final long BESIDE_HEAP_BYTES = 64 * MEBIBYTE;

    private final long ramBytes;
    private final long backingBytes;
    private final long guestProcessBytes;
    private final long trustedBytes;
    private final int hcas;

    private MemorySums(long ramBytes, long backingBytes, long guestProcessBytes, long trustedBytes, int hcas) {
        this.ramBytes = ramBytes;
        this.backingBytes = backingBytes;
        this.guestProcessBytes = guestProcessBytes;
        this.trustedBytes = trustedBytes;
        this.hcas = hcas;
    }

    public static MemorySums of(Installation installation, Topology topology) {
        long ram = 0;
        long backing = 0;
        long processes = 0;
        long perGuest = processBytes(installation.guestOptions(false));
        for (Guest guest : topology.guests()) {
            ram += guest.memoryBytes();
            backing += guest.allQuotas().max(QuotaKind.BACKING);
            // A native domain is a thread of the device domain.
            processes += guest.nativeDomain() ? 0 : perGuest;
        }
        return new MemorySums(
                ram,
                backing,
                processes,
                processBytes(installation.vmmOptions())
                        + topology.hcas().size() * processBytes(installation.backendOptions(false)),
                topology.hcas().size());
    }

    /** The most that a JVM with such options takes. */
    private static long processBytes(List<String> options) {
        for (String option : options) {
            Matcher heap = HEAP.matcher(option);
            if (heap.matches()) {
                return Long.parseLong(heap.group(1)) * MEBIBYTE + BESIDE_HEAP_BYTES;
            }
        }
        throw new IllegalStateException("no heap size in " + options);
    }

    /** All of it. */
    public long bytes() {
        return ramBytes + backingBytes + guestProcessBytes + trustedBytes;
    }

    /**
     * Checks that it fits.
     *
     * @param spareBytes what the computer can spare
     * @throws HvException INVALID_TOPOLOGY with the arithmetic
     */
    void check(long spareBytes) throws HvException {
        long sum = bytes();
        if (sum <= spareBytes) {
            return;
        }
        throw new HvException(
                ExitCode.INVALID_TOPOLOGY,
                "memory adds up to "
                        + mebibytes(sum)
                        + " MiB (guests "
                        + mebibytes(ramBytes)
                        + ", their forwarded queues "
                        + mebibytes(backingBytes)
                        + ", their processes "
                        + mebibytes(guestProcessBytes)
                        + (hcas == 1 ? ", VMM and device domain " : ", VMM and " + hcas + " device domains ")
                        + mebibytes(trustedBytes)
                        + "); the computer can spare "
                        + spareBytes / MEBIBYTE,
                "start fewer guests, or lower memory or quota.backing of each");
    }

    private static long mebibytes(long bytes) {
        return Math.ceilDiv(bytes, MEBIBYTE);
    }
}
