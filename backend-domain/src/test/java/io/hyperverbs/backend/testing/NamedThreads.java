package io.hyperverbs.backend.testing;

import java.lang.management.ManagementFactory;
import java.util.List;

/** Threads of this process by their names. */
public final class NamedThreads {
    private final List<String> names;

    public NamedThreads(String... names) {
        this.names = List.of(names);
    }

    /** Whether all are there, and wait, {@code busy} aside. */
    public boolean areAsleepBut(String busy) {
        List<Thread> threads = threads();
        return threads.stream().map(Thread::getName).distinct().count() == names.size()
                && threads.stream()
                        .filter(thread -> !thread.getName().equals(busy))
                        .allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }

    /** Processor time that they took so far. */
    public long cpuNanos() {
        return threads().stream()
                .mapToLong(thread -> ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId()))
                .sum();
    }

    private List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> names.contains(thread.getName()))
                .toList();
    }
}
