package io.hyperverbs.hca.number;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void givesEachNumberToOneHolder() {
        RandomNumbers numbers = new RandomNumbers(new SplittableRandom(1), 100_000, 1024);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            int number = numbers.take();
            assertThat(number).isBetween(2, 0xfffffe);
            assertThat(seen.add(number)).isTrue();
        }
    }

    @Test
    void quarantinesForExactlyItsSizeAndThenGivesAgain() {
        // A source that always wants the same numbers, in turn.
        int[] script = {10, 10, 11, 10, 11, 12, 10, 11, 12, 13, 10};
        int[] next = {0};
        RandomNumbers numbers = new RandomNumbers(() -> (long) script[next[0]++ % script.length] << 40, 8, 2);

        int first = numbers.take();
        numbers.release(first);
        int second = numbers.take();
        numbers.release(second);
        int third = numbers.take();
        numbers.release(third);

        assertThat(Set.of(first, second, third)).hasSize(3);
        assertThat(numbers.take()).isEqualTo(first);
    }

    @Test
    void tableAgreesWithAMap() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        IntTable table = new IntTable(500);
        Map<Integer, Integer> model = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            int key = random.nextInt(1000) * 0x10001;
            if (model.containsKey(key)) {
                table.remove(key);
                model.remove(key);
            } else if (model.size() < 500) {
                table.put(key, step);
                model.put(key, step);
            }
            int probe = random.nextInt(1000) * 0x10001;
            assertThat(table.get(probe)).as("seed " + seed).isEqualTo(model.getOrDefault(probe, IntTable.ABSENT));
        }
        assertThat(table.size()).isEqualTo(model.size());
    }

    @Test
    void neverGivesTheNumbersThatMeanSomethingElse() {
        int[] script = {0, 1, 0xffffff, 2, 0, 0xffffff, 0xfffffe};
        int[] next = {0};
        RandomNumbers numbers = new RandomNumbers(() -> (long) script[next[0]++] << 32, 8, 2);

        assertThat(numbers.take()).isEqualTo(2);
        assertThat(numbers.take()).isEqualTo(0xfffffe);
    }

    @Test
    void tableTakesWhatItPromisedAndIsNeverMoreThanHalfFull() {
        IntTable table = new IntTable(100);
        int taken = 0;
        while (taken < 100) {
            table.put(taken, taken);
            taken++;
        }
        while (taken < 128) {
            table.put(taken, taken);
            taken++;
        }

        assertThatThrownBy(() -> table.put(1000, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("table of 256 is more than half full");
        assertThat(table.size()).isEqualTo(128);
        assertThat(table.contains(127)).isTrue();
        assertThat(table.contains(1000)).isFalse();
    }

    @Test
    void tableForgetsOnlyWhatItHas() {
        IntTable table = new IntTable(4);
        for (int key = 0; key < 4; key++) {
            table.put(key, 10 + key);
        }

        for (int key = 4; key < 500; key++) {
            table.remove(key);
        }

        assertThat(table.size()).isEqualTo(4);
        for (int key = 0; key < 4; key++) {
            assertThat(table.get(key)).isEqualTo(10 + key);
        }
    }
}
