package io.hyperverbs.frontend.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.SendRing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class QpLookupTest {
    private final QpLookup lookup = new QpLookup();

    @Test
    void findsNothingWhenEmpty() {
        assertThat(lookup.find(17)).isNull();
        assertThat(lookup.find(0)).isNull();
    }

    @Test
    void agreesWithMapOnRandomChanges() {
        long seed = 42;
        Random random = new Random(seed);
        Map<Integer, QpRings> model = new HashMap<>();
        for (int step = 0; step < 3000; step++) {
            int qpn = 1 + random.nextInt(200) * 4096;
            if (random.nextBoolean()) {
                QpRings rings = rings();
                lookup.add(qpn, rings);
                model.put(qpn, rings);
            } else {
                lookup.remove(qpn);
                model.remove(qpn);
            }
            int asked = 1 + random.nextInt(200) * 4096;
            assertThat(lookup.find(asked)).as("seed %d step %d", seed, step).isSameAs(model.get(asked));
        }
        assertThat(model).isNotEmpty();
        model.forEach((qpn, rings) -> assertThat(lookup.find(qpn)).isSameAs(rings));
    }

    private static QpRings rings() {
        QueueGeometry geometry = QueueGeometry.of(1, 1, 1, 1, 0);
        MemorySegment memory = Arena.ofAuto().allocate(geometry.totalBytes(), 64);
        return new QpRings(new SendRing(memory, 0, geometry), new ReceiveRing(memory, 0, geometry));
    }
}
