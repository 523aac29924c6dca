package io.hyperverbs.vmm.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedTimeTest {
    @TempDir
    private Path tasks;

    private ServedTime served;

    @BeforeEach
    void process() throws IOException {
        served = new ServedTime(tasks);
        thread(10, "hca-engine", 500);
        thread(11, "channel-3-alice", 100);
        thread(12, "pump-3-alice", 20);
        thread(13, "channel-14-atta", 7);
    }

    private void thread(int id, String name, long nanos) throws IOException {
        Path task = Files.createDirectories(tasks.resolve(Integer.toString(id)));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), nanos + " 12 3\n");
    }

    @Test
    void addsUpWhatThreadsDidForEachDomain() {
        assertThat(served.takeNanos()).isEqualTo(Map.of(3, 120L, 14, 7L));
    }

    @Test
    void tellsWhatCameSince() throws IOException {
        var _ = served.takeNanos();
        thread(11, "channel-3-alice", 150);
        thread(15, "channel-4", 9);

        assertThat(served.takeNanos()).isEqualTo(Map.of(3, 50L, 14, 0L, 4, 9L));
    }

    @Test
    void aThreadMayTakeItsNameAfterItHasBegun() throws IOException {
        thread(17, "java", 1);
        var _ = served.takeNanos();
        thread(17, "channel-9-late", 30);

        assertThat(served.takeNanos()).containsEntry(9, 30L);
    }

    @Test
    void threadsAndProcessesEnd() throws IOException {
        var _ = served.takeNanos();
        Files.delete(tasks.resolve("13/schedstat"));

        assertThat(served.takeNanos()).isEqualTo(Map.of(3, 0L));
        assertThat(new ServedTime(tasks.resolve("gone")).takeNanos()).isEmpty();
    }

    @Test
    void namesAreThoseThatItLooksFor() throws IOException {
        thread(16, ServedTime.threadName("channel", 5, "x").substring(0, 11), 1);

        assertThat(served.takeNanos()).containsEntry(5, 1L);
    }
}
