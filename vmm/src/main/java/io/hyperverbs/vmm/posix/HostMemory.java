package io.hyperverbs.vmm.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the computer can spare memory. Linux does not refuse a memory file that is too large: it
 * fills it until nothing is left, and then ends other processes of the computer.
 */
final class HostMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final int BYTES_PER_KIB = 1024;

    /** What always stays for the rest of the computer: a sixteenth, and this much at least. */
    private static final long LEAST_LEFT_BYTES = 256L << 20;

    private HostMemory() {}

    /** Throws ENOMEM unless the computer can spare that much at this moment. */
    static void require(long sizeBytes) throws PosixException {
        long available;
        long total;
        try {
            String text = Files.readString(MEMINFO);
            available = bytes(text, "MemAvailable:");
            total = bytes(text, "MemTotal:");
        } catch (IOException e) {
            // Without knowing, nothing is taken: too much would cost others their lives.
            throw new PosixException("memory of this computer is unknown", Errno.ENOMEM);
        }
        if (!canSpare(sizeBytes, available, total)) {
            throw new PosixException(
                    sizeBytes + " bytes of memory, " + available + " available", Errno.ENOMEM);
        }
    }

    static boolean canSpare(long sizeBytes, long availableBytes, long totalBytes) {
        long left = Math.max(LEAST_LEFT_BYTES, totalBytes / 16);
        return sizeBytes >= 0 && availableBytes >= left && sizeBytes <= availableBytes - left;
    }

    /** The number behind a name in the text of /proc/meminfo, which counts in KiB. */
    static long bytes(String text, String name) throws IOException {
        String line =
                text.lines()
                        .filter(one -> one.startsWith(name))
                        .findFirst()
                        .orElseThrow(() -> new IOException("no " + name));
        String digits = line.replaceAll("[^0-9]", "");
        if (digits.isEmpty()) {
            throw new IOException("no number: " + line);
        }
        return Long.parseLong(digits) * BYTES_PER_KIB;
    }
}
