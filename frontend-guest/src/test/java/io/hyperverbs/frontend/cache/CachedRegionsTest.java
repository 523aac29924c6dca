package io.hyperverbs.frontend.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CachedRegionsTest {
    private static final int STEPS = 5_000;
    private static final long MEMORY = 1 << 16;
    private static final MemorySegment RAM = Arena.ofAuto().allocate(2 * MEMORY);

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> written = new ArrayList<>();
    private final CachedRegions regions = new CachedRegions(new CacheReport(written::add, nanos::get));
    private final RegionIndex index = new RegionIndex();
    private final Set<Region> registered = new LinkedHashSet<>();

    /** Registered from the start; can be kept from ending. */
    private final class Region implements MemoryRegion {
        final MemorySegment buffer;
        final int access;
        boolean stays;

        Region(long start, long length, int access) {
            this.buffer = segment(start, length);
            this.access = access;
            registered.add(this);
        }

        boolean serves(long start, long length, int rights) {
            long begin = buffer.address() - RAM.address();
            return begin <= start && start + length <= begin + buffer.byteSize() && (access & rights) == rights;
        }

        @Override
        public MemorySegment buffer() {
            return buffer;
        }

        @Override
        public ProtectionDomain pd() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long address() {
            return buffer.address();
        }

        @Override
        public long lengthBytes() {
            return buffer.byteSize();
        }

        @Override
        public int lkey() {
            return 1;
        }

        @Override
        public int rkey() {
            return 2;
        }

        @Override
        public void reregister(RegionChange change) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String describe() {
            return "mr";
        }

        @Override
        public void close() throws VerbsException {
            if (stays) {
                throw new VerbsException(VerbsStatus.EIO, "planted");
            }
            registered.remove(this);
        }
    }

    private static MemorySegment segment(long start, long length) {
        return RAM.asSlice(start, length);
    }

    private CachedRegion add(long start, long length, int access) {
        return regions.add(index, new Region(start, length, access), access);
    }

    @Test
    void findsWhateverServesAndNothingElseInAnyOrderOfSteps() {
        Random random = new Random(7);
        List<CachedRegion> inUse = new ArrayList<>();
        int hits = 0;
        for (int step = 0; step < STEPS; step++) {
            long start = random.nextLong(MEMORY);
            long length = 1 + random.nextLong(random.nextBoolean() ? 64 : MEMORY / 4);
            int access = 1 << random.nextInt(3);
            switch (random.nextInt(9)) {
                case 0 -> inUse.add(add(start, length, access | 1));
                case 1, 2, 3 -> {
                    if (!inUse.isEmpty()) {
                        regions.giveBack(inUse.remove(random.nextInt(inUse.size())));
                    }
                }
                case 4 -> regions.forget(segment(start, 16));
                default -> {
                    CachedRegion found = regions.take(index, segment(start, length), access);
                    assertThat(found != null)
                            .isEqualTo(registered.stream().anyMatch(one -> one.serves(start, length, access)));
                    if (found != null) {
                        hits++;
                        assertThat(((Region) found.region).serves(start, length, access))
                                .isTrue();
                        inUse.add(found);
                    }
                }
            }
            assertThat(inUse).allMatch(one -> registered.contains((Region) one.region));
        }
        assertThat(hits).isGreaterThan(STEPS / 100);
        assertThat(regions.statistics(index).hits()).isEqualTo(hits);
        assertThat(regions.statistics().regions()).isEqualTo(registered.size());
        assertThat(regions.statistics().bytes())
                .isEqualTo(registered.stream().mapToLong(Region::lengthBytes).sum());
    }

    @Test
    void theLongestUnusedMakesRoomFirst() throws VerbsException {
        CachedRegion first = add(0, 10, 1);
        CachedRegion second = add(20, 10, 1);
        regions.giveBack(second);
        regions.giveBack(first);
        int[] refusals = {1};

        String done = regions.makingRoom(() -> {
            if (refusals[0]-- > 0) {
                throw new VerbsException(VerbsStatus.EAGAIN, "quota");
            }
            return "done";
        });

        assertThat(done).isEqualTo("done");
        assertThat(registered).containsExactly((Region) first.region);
        assertThat(regions.statistics(index).evictions()).isOne();
    }

    @Test
    void aRefusalStandsOnceNothingUnusedIsLeftAndAtOnceForOtherReasons() {
        CachedRegion used = add(0, 10, 1);
        CachedRegion unused = add(20, 10, 1);
        regions.giveBack(unused);

        assertThatThrownBy(() -> regions.makingRoom(() -> {
                    throw new VerbsException(VerbsStatus.EFAULT, "foreign");
                }))
                .hasMessageContaining("foreign");
        assertThat(registered).hasSize(2);

        assertThatThrownBy(() -> regions.makingRoom(() -> {
                    throw new VerbsException(VerbsStatus.ENOMEM, "no regions");
                }))
                .hasMessageContaining("no regions");
        assertThat(registered).containsExactly((Region) used.region);
    }

    @Test
    void whatCannotBeDeregisteredIsFoundAgain() {
        CachedRegion region = add(0, 10, 1);
        Region stuck = (Region) region.region;
        stuck.stays = true;
        regions.giveBack(region);

        assertThatThrownBy(() -> regions.trim(index)).hasMessageContaining("planted");
        assertThat(regions.take(index, segment(0, 10), 1)).isSameAs(region);
        regions.giveBack(region);

        stuck.stays = false;
        regions.forget(segment(9, 100));
        assertThat(registered).isEmpty();
        assertThat(regions.take(index, segment(0, 10), 1)).isNull();
    }

    @Test
    void aUseOfACacheThatIsClosedMeanwhileLeavesNoRegistration() throws VerbsException {
        VerbsNode pd = new Node();
        AtomicReference<DriverRegistrationCache> cache = new AtomicReference<>();
        cache.set(DriverRegistrationCache.create(
                pd,
                (_, access) -> {
                    cache.get().close();
                    return new Region(0, 16, Access.mask(access));
                },
                regions));

        assertThatThrownBy(() -> cache.get().acquire(segment(0, 16), Set.of(Access.LOCAL_WRITE)))
                .hasMessageContaining("closed");

        assertThat(registered).isEmpty();
        pd.close();
    }

    private static final class Node extends VerbsNode {
        @Override
        public String describe() {
            return "pd";
        }

        @Override
        protected void destroy() {
            // Nothing is behind it.
        }
    }

    @Test
    void writesWhatWasDoneAtMostOnceInASecondAndAtTheEnd() {
        regions.giveBack(add(0, 10, 1));
        regions.giveBack(add(20, 10, 1));
        assertThat(written).containsExactly("hits 0 misses 1 evictions 0 regions 1 bytes 10");

        nanos.set(1_000_000_000);
        for (int i = 0; i < 1000; i++) {
            regions.giveBack(regions.take(index, segment(0, 10), 1));
        }
        assertThat(written).hasSize(2).last().isEqualTo("hits 256 misses 2 evictions 0 regions 2 bytes 20");

        regions.report();
        assertThat(written).last().isEqualTo("hits 1000 misses 2 evictions 0 regions 2 bytes 20");
    }
}
