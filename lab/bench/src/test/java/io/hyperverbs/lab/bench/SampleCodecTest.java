package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SampleCodecTest {
    @Test
    void readsBackWhatItWrote() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            long[] samples = new long[random.nextInt(300)];
            for (int i = 0; i < samples.length; i++) {
                samples[i] = random.nextLong() >> random.nextInt(64);
            }

            List<String> chunks = SampleCodec.encode(samples, samples.length);

            assertThat(SampleCodec.decode(chunks, samples.length))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(samples);
        }
    }

    @Test
    void readsBackTheExtremes() {
        long[] samples = {0, Long.MAX_VALUE, Long.MIN_VALUE, -1, 1, Long.MIN_VALUE};

        assertThat(SampleCodec.decode(SampleCodec.encode(samples, samples.length), samples.length))
                .isEqualTo(samples);
    }

    @Test
    void encodesThePartAskedFor() {
        assertThat(SampleCodec.decode(SampleCodec.encode(new long[] {5, 6, 7, 8}, 2), 2))
                .containsExactly(5, 6);
        assertThat(SampleCodec.encode(new long[4], 0)).isEmpty();
    }

    @Test
    void chunksFitIntoTheStore() {
        long[] samples = new Random(1).longs(60_000, 0, 1_000_000).toArray();

        List<String> chunks = SampleCodec.encode(samples, samples.length);

        assertThat(chunks).hasSizeGreaterThan(3).allMatch(c -> c.length() <= 40_000);
        assertThat(SampleCodec.decode(chunks, samples.length)).isEqualTo(samples);
    }

    @Test
    void nearTimesTakeTwoBytes() {
        long[] samples = new Random(2).longs(1_000, 900, 1_100).toArray();

        int characters = SampleCodec.encode(samples, 1_000).getFirst().length();

        assertThat(characters).isLessThan(1_000 * 2 * 4 / 3 + 8);
    }

    @Test
    void refusesWhatWasCut() {
        List<String> chunks = SampleCodec.encode(new long[] {1000, 2000, 3000}, 3);

        assertThatThrownBy(() -> SampleCodec.decode(chunks, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SampleCodec.decode(chunks, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("left over");
        assertThatThrownBy(() -> SampleCodec.decode(new ArrayList<>(), 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
