package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@RunsWhenChanged
class UdpAllocationTest {
    @Test
    void noCallAllocates() throws Exception {
        Map<String, Long> bytes = allocatedBytes();

        assertThat(bytes)
                .containsOnlyKeys("datagrams", "segments", "drops", "empty", "group", "emptyGroup")
                .allSatisfy((_, allocated) -> assertThat(allocated)
                        .as("bytes for " + UdpAllocations.OPERATIONS + " operations")
                        .isLessThan(UdpAllocations.OPERATIONS));
    }

    private static Map<String, Long> allocatedBytes() throws IOException, InterruptedException {
        // Compiles at once what is hot, so that a busy computer changes nothing.
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xbatch",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        UdpAllocations.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (String line : output.lines().filter(l -> !l.startsWith("#")).toList()) {
            String[] words = line.split(" ", -1);
            bytes.put(words[0], Long.parseLong(words[2]));
        }
        return bytes;
    }
}
