package io.hyperverbs.lab.run.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveHeapTest {
    private static final String HISTOGRAM = """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:         61234        5123456  [B (java.base@25)
           2:            44          20416  [Ljdk.internal.vm.FillerElement; (java.base@25)
           3:             2             64  jdk.internal.vm.FillerObject (java.base@25)
        Total         61280        5143936
        """;

    @Test
    void isTheTotalWithoutWhatFillsGaps() {
        assertThat(LiveHeap.live(HISTOGRAM)).hasValue(5_143_936 - 20_416 - 64);
    }

    @Test
    void isNotKnownBeforeTheHistogramIsWhole() {
        assertThat(LiveHeap.live(HISTOGRAM.substring(0, HISTOGRAM.indexOf("Total"))))
                .isEmpty();
    }

    @Test
    void readsOnInTheLogThatFollowsAFullOne(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("backend.log");
        Files.writeString(folder.resolve("backend.log.1"), "before, and half of it");
        Files.writeString(log, " and more");

        assertThat(LiveHeap.since(log, "before, and ".length())).isEqualTo("half of it and more");
        assertThat(LiveHeap.since(log, 4)).isEqualTo(" more");
    }

    @Test
    void looksAgainWhereAFullLogHasJustBeenRenamed(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("backend.log");
        Files.writeString(folder.resolve("backend.log.1"), "before, and half of it");

        assertThat(LiveHeap.since(log, "before, and ".length())).isEmpty();
    }
}
