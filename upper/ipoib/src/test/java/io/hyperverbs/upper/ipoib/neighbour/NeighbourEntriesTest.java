package io.hyperverbs.upper.ipoib.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.upper.ipoib.frame.IpAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NeighbourEntriesTest {
    private static final long SEED = 4861;

    @Test
    void behavesAsALinkedHashMapByAccess() {
        Random random = new Random(SEED);
        // Small, so that chains are long.
        NeighbourEntries entries = new NeighbourEntries(3);
        LinkedHashMap<IpAddress, Neighbour> model = new LinkedHashMap<>(16, 0.75f, true);
        for (int i = 0; i < 50_000; i++) {
            IpAddress address = new IpAddress(random.nextInt(5), random.nextInt(5));
            Neighbour found = entries.find(address.high(), address.low());
            Neighbour expected = model.containsKey(address) ? model.get(address) : null;
            assertThat(found).as("seed %d, step %d", SEED, i).isSameAs(expected);
            if (found == null) {
                Neighbour entry = new Neighbour(address);
                entries.add(entry);
                model.put(address, entry);
            } else if (random.nextInt(3) == 0) {
                entries.remove(found);
                model.remove(address);
            } else {
                entries.touch(found);
            }
            assertThat(entries.size()).isEqualTo(model.size());
            if (i % 50 == 0) {
                assertThat(fromOldest(entries)).containsExactlyElementsOf(model.values());
                assertThat(fromNewest(entries).reversed()).containsExactlyElementsOf(model.values());
            }
        }
    }

    private static List<Neighbour> fromOldest(NeighbourEntries entries) {
        List<Neighbour> all = new ArrayList<>();
        for (Neighbour each = entries.oldest(); each != null; each = each.newer) {
            all.add(each);
        }
        return all;
    }

    private static List<Neighbour> fromNewest(NeighbourEntries entries) {
        List<Neighbour> all = new ArrayList<>();
        for (Neighbour each = entries.newest(); each != null; each = each.older) {
            all.add(each);
        }
        return all;
    }

    @Test
    void refusesToRemoveWhatIsNotThere() {
        NeighbourEntries entries = new NeighbourEntries(1);
        entries.add(new Neighbour(IpAddress.ALL_NODES));

        assertThatThrownBy(() -> entries.remove(new Neighbour(IpAddress.BROADCAST)))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> entries.remove(new Neighbour(IpAddress.ALL_NODES)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(entries.size()).isEqualTo(1);
    }
}
