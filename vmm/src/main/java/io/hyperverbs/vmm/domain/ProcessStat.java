package io.hyperverbs.vmm.domain;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process as its line in /proc/PID/stat says (proc(5)). Immutable. */
final class ProcessStat {
    /** Fields behind the name: time in user and in kernel mode. */
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;

    private final String fields;

    /** {@code line}: the name in it is in parentheses, and may hold some itself. */
    ProcessStat(String line) {
        this.fields = line.substring(line.lastIndexOf(')') + 2);
    }

    /** Of a process that has a number. */
    static ProcessStat of(long pid) throws IOException {
        return new ProcessStat(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    }

    /** Whether it has ended, and only its parent has not taken note. */
    boolean isZombie() {
        return fields.startsWith("Z");
    }

    /** Processor time of all its threads, in ticks of the kernel. */
    long ticks() {
        String[] words = fields.split(" ", -1);
        return Long.parseLong(words[USER_TIME]) + Long.parseLong(words[KERNEL_TIME]);
    }
}
