package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "17, 17",
        "17B, 17",
        "1KiB, 1024",
        "64 MiB, 67108864",
        "1.5KiB, 1536",
        "2GiB, 2147483648",
        "8589934591GiB, 9223372035781033984"
    })
    void readsSizes(String text, long bytes) {
        assertThat(Units.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1", "1KB", "1kib", "1 TiB", "0.1B", "99999999999GiB", "1e3"})
    void refusesOtherSizes(String text) {
        assertThatThrownBy(() -> Units.bytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 3000000000",
        "3s, 3000000000",
        "250ms, 250000000",
        "0.5us, 500",
        "1.5m, 90000000000",
        "24h, 86400000000000"
    })
    void readsTimes(String text, long nanos) {
        assertThat(Units.duration(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "3d", "3M", "1ns", "-1s"})
    void refusesOtherTimes(String text) {
        assertThatThrownBy(() -> Units.duration(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writesWhatItReads() {
        for (long bytes : new long[] {0, 1, 1023, 1024, 65536, 1L << 20, 3L << 30}) {
            assertThat(Units.bytes(Units.formatBytes(bytes))).isEqualTo(bytes);
        }
        assertThat(Units.formatBytes(1536)).isEqualTo("1.5KiB");
    }
}
