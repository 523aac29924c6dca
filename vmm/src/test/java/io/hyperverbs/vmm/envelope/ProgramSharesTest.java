package io.hyperverbs.vmm.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.vmm.envelope.ProgramShares.Use;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramSharesTest {
    private static final Use COMPUTES = new Use(1, 0, 0.8);

    /** After so many looks what is usual is what there is. */
    private static Map<Integer, Double> settled(int cores, Map<Integer, Use> uses) {
        return settled(new ProgramShares(), cores, uses);
    }

    private static Map<Integer, Double> settled(ProgramShares shares, int cores, Map<Integer, Use> uses) {
        Map<Integer, Double> parts = Map.of();
        for (int i = 0; i < 30; i++) {
            parts = shares.parts(cores, uses);
        }
        return parts;
    }

    @Test
    void whatIsServedComesOutOfTheOwnShare() {
        double served = 0.2;

        Map<Integer, Double> parts = settled(1, Map.of(1, new Use(1, served, 0.4), 2, COMPUTES));

        assertThat(parts).containsEntry(2, 1.0);
        // By weight the kernel shares out what trusted threads leave: the neighbour has its half.
        double neighbour = (1 - served) / (1 + parts.get(1));
        assertThat(neighbour).isCloseTo(0.5, within(1e-6));
    }

    @Test
    void theSameByWeightOnSeveralCores() {
        Map<Integer, Double> parts = settled(2, Map.of(1, new Use(1, 0.2, 0.4), 2, new Use(3, 0, 1.4)));

        double neighbour = 2 * (1 - 0.1) * 3 / (3 + parts.get(1));
        assertThat(neighbour).isCloseTo(1.5, within(1e-6));
    }

    @Test
    void aloneItKeepsAll() {
        Map<Integer, Double> parts = settled(1, Map.of(1, new Use(1, 0.5, 0.4), 2, new Use(1, 0.01, 0.02)));

        assertThat(parts).containsEntry(1, 1.0);
    }

    @Test
    void aProgramIsNeverStopped() {
        Map<Integer, Double> parts = settled(1, Map.of(1, new Use(1, 0.9, 0.05), 2, COMPUTES));

        assertThat(parts).containsEntry(1, ProgramShares.LEAST);
    }

    @Test
    void oneBurstCountsHalfAndIsForgotten() {
        ProgramShares shares = new ProgramShares();
        Map<Integer, Use> calm = Map.of(1, new Use(1, 0, 0.5), 2, COMPUTES);
        Map<Integer, Use> burst = Map.of(1, new Use(1, 0.2, 0.4), 2, COMPUTES);
        var _ = settled(shares, 1, calm);

        assertThat(shares.parts(1, burst).get(1)).isCloseTo(0.8, within(1e-6));
        assertThat(shares.parts(1, calm).get(1)).isCloseTo(0.9, within(1e-6));
        assertThat(settled(shares, 1, calm).get(1)).isCloseTo(1, within(1e-6));
    }
}
