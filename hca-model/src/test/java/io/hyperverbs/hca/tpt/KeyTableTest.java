package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Keys of PDs against a map, as full as the table may be and with many that collide. */
class KeyTableTest {
    private static final int MOST = 64;
    private static final int PDS = 3;
    private static final int KEYS = 100;

    private record Named(int pd, int key) {}

    private static Region region(int number) {
        return new Region(number, 0);
    }

    @Test
    void agreesWithAMap() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        KeyTable table = new KeyTable(MOST);
        Map<Named, Region> model = new HashMap<>();
        for (int step = 0; step < 50_000; step++) {
            // Negative keys too: the upper half must not leak into the PD's.
            Named named = new Named(1 + random.nextInt(PDS), (random.nextInt(KEYS) << 25) | random.nextInt(2));
            if (model.containsKey(named)) {
                table.remove(named.pd, named.key);
                model.remove(named);
            } else if (model.size() < MOST) {
                Region region = region(step);
                table.put(named.pd, named.key, region);
                model.put(named, region);
            } else {
                table.remove(named.pd, named.key);
            }
            Named probe = new Named(1 + random.nextInt(PDS), (random.nextInt(KEYS) << 25) | random.nextInt(2));
            assertThat(table.find(probe.pd, probe.key))
                    .as("seed %d, step %d", seed, step)
                    .isSameAs(model.get(probe));
        }
    }

    @Test
    void keysOfOnePdAreNoKeysOfAnother() {
        KeyTable table = new KeyTable(MOST);
        Region region = region(1);
        table.put(1, -1, region);

        assertThat(table.find(1, -1)).isSameAs(region);
        for (int pd = 2; pd < 1000; pd++) {
            assertThat(table.find(pd, -1)).isNull();
        }
        assertThat(table.find(-1, -1)).isNull();
    }

    @Test
    void removingWhatIsNotThereChangesNothing() {
        KeyTable table = new KeyTable(4);
        List<Region> all = new ArrayList<>();
        for (int key = 1; key <= 4; key++) {
            Region region = region(key);
            all.add(region);
            table.put(1, key, region);
        }

        for (int key = 5; key < 500; key++) {
            table.remove(1, key);
            table.remove(2, key);
        }

        for (int key = 1; key <= 4; key++) {
            assertThat(table.find(1, key)).isSameAs(all.get(key - 1));
        }
    }
}
