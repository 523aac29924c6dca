package io.hyperverbs.lab.run.isolate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the trusted processes take of the computer. Of a process it is what anybody may read in
 * {@code /proc/PID/status}, as the processes are not dumpable.
 *
 * @param residentKib memory of all of them
 * @param threads of all of them
 * @param descriptorSlots room for open descriptors in the fullest process, a power of two
 * @param diskBytes logs and journal
 */
public record Footprint(long residentKib, long threads, long descriptorSlots, long diskBytes) {
    private static final long MORE_KIB = 384 << 10;
    private static final long MORE_THREADS = 64;
    private static final long SLOTS = 1024;

    /** A whole journal, the segment made ahead, and two logs with a former one each. */
    private static final long MORE_DISK_BYTES = 104L << 20;

    /** Of these processes, and of files below these folders. */
    static Footprint of(List<Long> processes, List<Path> folders) {
        long kib = 0;
        long threads = 0;
        long slots = 0;
        for (long process : processes) {
            Path status = Path.of("/proc", Long.toString(process), "status");
            try (Stream<String> lines = Files.lines(status)) {
                for (String line : lines.toList()) {
                    if (line.startsWith("VmRSS:")) {
                        kib += number(line);
                    } else if (line.startsWith("Threads:")) {
                        threads += number(line);
                    } else if (line.startsWith("FDSize:")) {
                        slots = Math.max(slots, number(line));
                    }
                }
            } catch (IOException | UncheckedIOException gone) {
                // It has ended, which is judged elsewhere.
            }
        }
        return new Footprint(
                kib, threads, slots, folders.stream().mapToLong(Footprint::size).sum());
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }

    private static long size(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(Footprint::length)
                    .sum();
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }

    private static long length(Path file) {
        try {
            return Files.size(file);
        } catch (IOException gone) {
            return 0;
        }
    }

    /** What has grown without bounds since {@code before}, or null. */
    @Nullable
    String excess(Footprint before) {
        if (residentKib > before.residentKib + MORE_KIB) {
            return "resident memory from " + before.residentKib + " to " + residentKib + " KiB";
        }
        if (threads > before.threads + MORE_THREADS) {
            return "threads from " + before.threads + " to " + threads;
        }
        if (descriptorSlots > Math.max(before.descriptorSlots, SLOTS)) {
            return "slots of descriptors from " + before.descriptorSlots + " to " + descriptorSlots;
        }
        if (diskBytes > before.diskBytes + MORE_DISK_BYTES) {
            return "logs and journal from " + before.diskBytes + " to " + diskBytes + " bytes";
        }
        return null;
    }
}
