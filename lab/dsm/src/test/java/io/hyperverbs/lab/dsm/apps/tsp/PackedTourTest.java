package io.hyperverbs.lab.dsm.apps.tsp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PackedTourTest {
    @Test
    void holdsSixteenCitiesInTheirOrder() {
        long tour = 0;
        for (int count = 1; count < PackedTour.MOST_CITIES; count++) {
            tour = PackedTour.with(tour, count, PackedTour.MOST_CITIES - count);
        }

        assertThat(tour).isEqualTo(0x123456789abcdef0L);
        assertThat(PackedTour.city(tour, 0)).isZero();
        assertThat(PackedTour.city(tour, 1)).isEqualTo(15);
        assertThat(PackedTour.city(tour, 15)).isEqualTo(1);
    }
}
