package io.hyperverbs.vmm.envelope;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Processor time that a trusted process has used for each domain, as the kernel counts it: of its
 * threads whose names say whom they serve. One thread.
 */
public final class ServedTime {
    /**
     * Beginning of the name of a thread that works for one domain, as the kernel keeps 15
     * characters of it: {@code channel-3-alice}.
     */
    private static final Pattern SERVES = Pattern.compile("(?:channel|pump)-([0-9]+)(?:-.*)?");

    private static final int NOBODY = -1;

    /** Of a thread that was new at the last look the name is read once more: it takes it after it has begun. */
    private record Served(int domain, boolean isNew, long nanos) {}

    private final Path tasks;
    private Map<String, Served> last = Map.of();

    /**
     * @param tasks the process's folder of threads, such as {@code /proc/17/task}
     */
    public ServedTime(Path tasks) {
        this.tasks = tasks;
    }

    /** The name of a thread that works for one domain. */
    public static String threadName(String work, int domain, String domainName) {
        return work + "-" + domain + "-" + domainName;
    }

    /** Nanoseconds since it was asked last, by domain id; empty of a process that has ended. */
    public Map<Integer, Long> takeNanos() {
        Map<String, Served> now = new HashMap<>();
        Map<Integer, Long> taken = new HashMap<>();
        for (Path task : threads()) {
            String thread = task.getFileName().toString();
            Served before = last.get(thread);
            try {
                int domain = before == null || before.isNew ? domain(task) : before.domain;
                long nanos = domain == NOBODY ? 0 : nanos(task);
                now.put(thread, new Served(domain, before == null, nanos));
                if (domain != NOBODY) {
                    long since = before == null ? 0 : before.nanos;
                    taken.merge(domain, Math.max(0, nanos - since), Long::sum);
                }
            } catch (IOException | NumberFormatException ended) {
                // What the thread used since the last time is lost with it.
            }
        }
        last = now;
        return taken;
    }

    private List<Path> threads() {
        try (Stream<Path> all = Files.list(tasks)) {
            return all.toList();
        } catch (IOException | UncheckedIOException ended) {
            return List.of();
        }
    }

    private static int domain(Path task) throws IOException {
        Matcher name = SERVES.matcher(Files.readString(task.resolve("comm")).strip());
        return name.matches() ? Integer.parseInt(name.group(1)) : NOBODY;
    }

    /**
     * First number of schedstat: time on a core in nanoseconds
     * (Documentation/scheduler/sched-stats.rst).
     */
    private static long nanos(Path task) throws IOException {
        String text = Files.readString(task.resolve("schedstat"));
        return Long.parseLong(text.substring(0, text.indexOf(' ')));
    }
}
