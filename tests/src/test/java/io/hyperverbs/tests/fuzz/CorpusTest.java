package io.hyperverbs.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.Sources;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The corpora, and some thousand inputs near them, without a fuzzer. */
class CorpusTest {
    private static final int MOST_CORPUS_BYTES = 1 << 20;
    private static final int NEIGHBOURS = 120;

    @ParameterizedTest
    @EnumSource
    void replays(FuzzKind kind) {
        List<Path> files = Corpus.files(kind);

        assertThat(files).isNotEmpty();
        assertThat(files.stream().mapToLong(file -> file.toFile().length()).sum())
                .isLessThan(MOST_CORPUS_BYTES / FuzzKind.values().length);
        kind.play(new byte[0]);
        for (Path file : files) {
            play(kind, Corpus.bytes(file), file.getFileName().toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void playsNeighbours(FuzzKind kind) {
        long seed = Sources.seed();
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> inputs = Corpus.inputs(kind);

        for (int i = 0; i < NEIGHBOURS; i++) {
            byte[] input = inputs.get(random.nextInt(inputs.size())).clone();
            play(kind, neighbour(input, inputs, random), "seed " + seed + ", " + i);
        }
    }

    private static void play(FuzzKind kind, byte[] input, String name) {
        try {
            kind.play(input);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(kind + ", " + name + ": " + HexFormat.of().formatHex(input), e);
        }
    }

    /** A few bytes changed, or the head of one and the tail of another. */
    private static byte[] neighbour(byte[] input, List<byte[]> others, SplittableRandom random) {
        if (input.length == 0 || random.nextInt(4) == 0) {
            byte[] other = others.get(random.nextInt(others.size()));
            int head = random.nextInt(input.length + 1);
            byte[] joined = Arrays.copyOf(input, head + other.length);
            System.arraycopy(other, 0, joined, head, other.length);
            return joined;
        }
        for (int changes = random.nextInt(1, 5); changes > 0; changes--) {
            input[random.nextInt(input.length)] = (byte) random.nextInt(256);
        }
        return input;
    }
}
