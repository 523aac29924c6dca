package io.hyperverbs.backend.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.gsi.SourceBudgets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RemoteEndsTest {
    private static final int ADDRESS = 7;

    private final RemoteEnds ends = new RemoteEnds(new SplittableRandom(3), new SourceBudgets());

    @Test
    void anEndIsFoundFromItsPeersAddressAlone() {
        RemoteEnd called = ends.passive(ADDRESS, 1, 5);

        assertThat(ends.find(called.localId, ADDRESS)).isSameAs(called);
        assertThat(ends.find(called.localId, ADDRESS + 1)).isNull();
        assertThat(ends.called(ADDRESS, 5)).isSameAs(called);
        assertThat(ends.called(ADDRESS + 1, 5)).isNull();
        ends.remove(called);
        assertThat(ends.called(ADDRESS, 5)).isNull();
        assertThat(ends.size()).isZero();
    }

    @Test
    void idsAreNotZeroAndNotTwiceThere() {
        Iterator<Integer> drawn = List.of(0, 5, 5, 6).iterator();
        RemoteEnds few = new RemoteEnds(() -> (long) drawn.next() << Integer.SIZE, new SourceBudgets());

        assertThat(few.active(ADDRESS, 1).localId).isEqualTo(5);
        assertThat(few.active(ADDRESS, 1).localId).isEqualTo(6);
    }

    @Test
    void endsWithoutUsersAreBoundedForAnAddressAndInAll() {
        List<RemoteEnd> kept = new ArrayList<>();
        int addresses = 1 + RemoteEnds.MAX_RETIRED / RemoteEnds.MAX_RETIRED_OF_ADDRESS;
        for (int address = 1; address <= addresses; address++) {
            for (int i = 0; i <= RemoteEnds.MAX_RETIRED_OF_ADDRESS; i++) {
                RemoteEnd end = ends.passive(address, 1, i + 1);
                ends.know(end);
                ends.know(end);
                if (ends.retire(end)) {
                    kept.add(end);
                }
            }
            assertThat(kept).hasSize(Math.min(address * RemoteEnds.MAX_RETIRED_OF_ADDRESS, RemoteEnds.MAX_RETIRED));
        }
        assertThat(ends.size()).isEqualTo(RemoteEnds.MAX_RETIRED);

        kept.forEach(ends::remove);
        assertThat(ends.size()).isZero();
        assertThat(ends.retire(ends.active(1, 1))).isTrue();
    }
}
