package io.hyperverbs.lab.dsm.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both triangles make up the matrix again; blocks lie with the nodes that own them. */
class LuMatrixTest {
    /** Of elements up to 81, each a sum of up to 80 products. */
    private static final double TOLERANCE = 1e-10;

    @Test
    void isTheProductOfItsTriangles() {
        LuMatrix matrix = LuMatrix.of(AppSize.SMALL);
        int order = matrix.order();

        double[] start = matrix.start();
        double[] factored = matrix.factored();

        for (int row = 0; row < order; row++) {
            for (int column = 0; column < order; column++) {
                double sum = 0;
                for (int i = 0; i <= Math.min(row, column); i++) {
                    double lower = i == row ? 1 : factored[row * order + i];
                    sum += lower * factored[i * order + column];
                }
                assertThat(sum).isCloseTo(start[row * order + column], within(TOLERANCE));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 8, 16})
    void putsEachBlockWhereItsOwnerIsHome(int nodes) {
        int across = 5;
        LuBlockPlaces places = new LuBlockPlaces(across, nodes);
        Set<Integer> taken = new HashSet<>();

        for (int row = 0; row < across; row++) {
            for (int column = 0; column < across; column++) {
                int place = places.place(row, column);
                assertThat(taken.add(place)).isTrue();
                assertThat(place * nodes / places.room()).isEqualTo(places.owner(row, column));
            }
        }
    }

    @Test
    void givesFourNodesASquareOfBlocks() {
        LuBlockPlaces places = new LuBlockPlaces(4, 4);

        assertThat(new int[] {places.owner(0, 0), places.owner(0, 1), places.owner(1, 0), places.owner(1, 1)})
                .containsExactly(0, 1, 2, 3);
        assertThat(places.owner(2, 3)).isEqualTo(1);
    }
}
