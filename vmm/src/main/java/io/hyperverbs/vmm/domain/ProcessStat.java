package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process as its line in /proc/PID/stat says (proc(5)). Immutable. */
public final class ProcessStat {
    /** Fields behind the name: time in user and in kernel mode. */
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;
    private static final int THREADS = 17;
    private static final int START_TIME = 19;

    /** As USER_HZ is 100. */
    private static final int TICK_MILLIS = 10;

    private final String[] fields;

    /** {@code line}: the name in it is in parentheses, and may hold some itself. */
    ProcessStat(String line) {
        this.fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    }

    /** Of a process that has a number. */
    public static ProcessStat of(long pid) throws IOException {
        return new ProcessStat(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    }

    /** Whether it has ended with all its threads, and only its parent has not taken note. */
    boolean isZombie() {
        return fields[0].equals("Z") && Integer.parseInt(fields[THREADS]) <= 1;
    }

    /**
     * For how long it has run, in steps of ten milliseconds. The start that a ProcessHandle names is
     * up to a second off: it counts from the boot in whole seconds.
     *
     * @param uptime content of /proc/uptime: seconds since the boot first
     */
    public long ageMillis(String uptime) {
        long bootMillis = Math.round(Double.parseDouble(uptime.split(" ", 2)[0]) * 1000);
        return bootMillis - Long.parseLong(fields[START_TIME]) * TICK_MILLIS;
    }

    /** Processor time of all its threads, in ticks of the kernel. */
    long ticks() {
        return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME]);
    }
}
