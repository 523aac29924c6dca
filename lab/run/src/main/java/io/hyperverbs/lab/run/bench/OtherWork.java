package io.hyperverbs.lab.run.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How much of the computer's cores other work used: processes that are none of this one's, and what the host took from
 * its virtual cores (proc_stat(5): steal). Processes of this one's that have ended count as its own, if their parents
 * have waited for them. In steps of the kernel's accounting, 10 ms. One thread.
 */
public final class OtherWork {
    private static final Path STAT = Path.of("/proc/stat");
    private static final long TICK_NANOS = 10_000_000;

    /** Columns of the line "cpu" that are not time of work: idle, and waiting for a disk. */
    private static final int IDLE = 4;

    private static final int WAITING = 5;

    /** Columns after this one repeat what others hold. */
    private static final int STEAL = 8;

    /** utime, stime, cutime and cstime, counted from the state, which follows the name in parentheses. */
    private static final int USER = 11;

    private static final int OWN_TIMES = 4;

    private long lastNanos = System.nanoTime();
    private long lastOtherNanos = otherNanos();

    /** Cores that other work has used since the last call, or since construction; 0 where the kernel does not say. */
    public double cores() {
        long now = System.nanoTime();
        long others = otherNanos();
        double cores = (others - lastOtherNanos) / (double) Math.max(1, now - lastNanos);
        lastNanos = now;
        lastOtherNanos = others;
        return Math.max(0, cores);
    }

    private static long otherNanos() {
        try (Stream<String> lines = Files.lines(STAT)) {
            long all = lines.findFirst().map(OtherWork::busyTicks).orElse(0L) * TICK_NANOS;
            ProcessHandle here = ProcessHandle.current();
            long ours = Stream.concat(Stream.of(here), here.descendants())
                    .mapToLong(process -> ticksOf(process.pid()))
                    .sum();
            return all - ours * TICK_NANOS;
        } catch (IOException e) {
            return 0;
        }
    }

    private static long ticksOf(long pid) {
        try {
            return ownTicks(Files.readString(Path.of("/proc/" + pid + "/stat")));
        } catch (IOException e) {
            // It has ended, and counts with its parent from then on.
            return 0;
        }
    }

    /** What a process used, and those of its children that have ended and were waited for. */
    static long ownTicks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int i = USER; i < USER + OWN_TIMES; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks;
    }

    static long busyTicks(String line) {
        String[] columns = line.split(" +", -1);
        long ticks = 0;
        for (int i = 1; i < columns.length && i <= STEAL; i++) {
            ticks += i == IDLE || i == WAITING ? 0 : Long.parseLong(columns[i]);
        }
        return ticks;
    }
}
