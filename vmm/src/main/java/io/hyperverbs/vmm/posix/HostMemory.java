package io.hyperverbs.vmm.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the computer can spare memory. Linux does not refuse a memory file that is too large: it
 * fills it until nothing is left, and then ends other processes of the computer.
 */
public final class HostMemory {
    private static final Path GROUP = Path.of("/proc/self/cgroup");
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final int BYTES_PER_KIB = 1024;

    /** What always stays for the rest of the computer: a sixteenth, and this much at least. */
    private static final long LEAST_LEFT_BYTES = 256L << 20;

    private HostMemory() {}

    /**
     * Bytes that this process may take at this moment and leave the computer, and the control
     * groups it is in, enough for the rest.
     *
     * @throws PosixException ENOMEM if that is unknown
     */
    public static long spareBytes() throws PosixException {
        try {
            String text = Files.readString(MEMINFO);
            long ofComputer = spare(bytes(text, "MemAvailable:"), bytes(text, "MemTotal:"));
            return Math.min(ofComputer, GroupMemory.ofComputer().leftBytes(Files.readString(GROUP)));
        } catch (IOException e) {
            // Without knowing, nothing is taken: too much would cost others their lives.
            throw new PosixException("memory of this computer is unknown", Errno.ENOMEM);
        }
    }

    /** Throws ENOMEM unless the computer can spare that much at this moment. */
    static void require(long sizeBytes) throws PosixException {
        long spare = spareBytes();
        if (sizeBytes < 0 || sizeBytes > spare) {
            throw new PosixException(sizeBytes + " bytes of memory, " + spare + " to spare", Errno.ENOMEM);
        }
    }

    /** What is available but for what stays for the rest of the computer. */
    static long spare(long availableBytes, long totalBytes) {
        return Math.max(0, availableBytes - Math.max(LEAST_LEFT_BYTES, totalBytes / 16));
    }

    /** The number behind a name in the text of /proc/meminfo, which counts in KiB. */
    static long bytes(String text, String name) throws IOException {
        String line = text.lines()
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
