package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VendorError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TptTest {
    private static final int ALL = 15;

    private final Tpt tpt = new Tpt(Contexts.ofWindows(16), 1024, 16, new SplittableRandom(3));
    private final CompletionError error = new CompletionError();

    private Region create(int pd, int access) {
        return tpt.create(new RegionPlan(pd, 0x1000, 4096, access, new long[] {0, 4096}, new long[] {8192}));
    }

    @Test
    void findsARegionByItsKeysInItsPdOnly() {
        Region region = create(5, ALL);

        assertThat(tpt.local(5, region.lkey(), 0x1000, 4096, 0, error)).isSameAs(region);
        assertThat(tpt.remote(5, 0, region.rkey(), 0x1fff, 1, 0, error)).isSameAs(region);
        for (int pd : new int[] {0, 1, 4, 6, -1}) {
            assertThat(tpt.local(pd, region.lkey(), 0x1000, 1, 0, error)).isNull();
            assertThat(error.vendorError()).isEqualTo(VendorError.KEY_NOT_IN_PD.code());
            assertThat(error.pd()).isEqualTo(pd);
            assertThat(tpt.remote(pd, 0, region.rkey(), 0x1000, 1, 0, error)).isNull();
        }
    }

    @Test
    void keysOfTheTwoKindsAreIndependent() {
        Region region = create(5, ALL);

        assertThat(region.lkey()).isNotEqualTo(region.rkey());
        assertThat(tpt.local(5, region.rkey(), 0x1000, 1, 0, error)).isNull();
        assertThat(tpt.remote(5, 0, region.lkey(), 0x1000, 1, 0, error)).isNull();
    }

    @Test
    void regionWithoutRemoteRightsHasNoRemoteKey() {
        Region region = create(5, Access.LOCAL_WRITE.bit() | Access.MW_BIND.bit());

        assertThat(region.rkey()).isZero();
        assertThat(tpt.remote(5, 0, 0, 0x1000, 1, 0, error)).isNull();
    }

    @Test
    void rightsAreRefusedBitByBit() {
        for (int access = 0; access < 64; access++) {
            Region region = create(5, access);
            for (int rights = 0; rights < 64; rights++) {
                boolean granted = tpt.local(5, region.lkey(), 0x1000, 8, rights, error) != null;

                assertThat(granted).isEqualTo((access & rights) == rights);
                if (!granted) {
                    assertThat(error.vendorError()).isEqualTo(VendorError.KEY_RIGHTS.code());
                }
            }
            tpt.destroy(region);
        }
    }

    @Test
    void faultSaysWhatWasAsked() {
        Region region = create(5, ALL);

        assertThat(tpt.local(5, region.lkey(), 0xfff, 77, 0, error)).isNull();

        assertThat(error.vendorError()).isEqualTo(VendorError.KEY_RANGE.code());
        assertThat(error.key()).isEqualTo(region.lkey());
        assertThat(error.address()).isEqualTo(0xfff);
        assertThat(error.lengthBytes()).isEqualTo(77);
    }

    @Test
    void releasedKeysNameNothing() {
        List<Integer> released = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            Region region = create(5, ALL);
            released.add(region.lkey());
            released.add(region.rkey());
            tpt.destroy(region);
        }
        Region live = create(5, ALL);

        for (int key : released) {
            assertThat(key).isNotEqualTo(live.lkey()).isNotEqualTo(live.rkey());
            assertThat(tpt.local(5, key, 0x1000, 1, 0, error)).isNull();
            assertThat(tpt.remote(5, 0, key, 0x1000, 1, 0, error)).isNull();
        }
    }

    @Test
    void keyIndexesDoNotComeBackWhileInQuarantine() {
        Set<Integer> indexes = new HashSet<>();
        for (int i = 0; i < 32_000; i++) {
            Region region = create(5, ALL);
            assertThat(indexes.add(region.lkey() >>> 8)).isTrue();
            assertThat(indexes.add(region.rkey() >>> 8)).isTrue();
            assertThat(region.lkey()).isNotIn(0, -1);
            assertThat(region.rkey()).isNotIn(0, -1);
            tpt.destroy(region);
        }
    }

    @Test
    void keysOfRegionsNeverRunIntoThoseOfLiveWindows() {
        Set<Integer> ofWindows = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            ofWindows.add(tpt.createWindow(2, 5, MemoryWindow.Type.ONE).keyIndex());
        }

        // More than a 16-bit counter has.
        for (int i = 0; i < 70_000; i++) {
            Region region = create(5, ALL);
            assertThat(ofWindows).doesNotContain(region.lkey() >>> 8, region.rkey() >>> 8);
            tpt.destroy(region);
        }
    }

    @Test
    void isExactlyFullAtItsSize() {
        for (int i = 0; i < 1024; i++) {
            assertThat(create(1 + i % 7, ALL)).isNotNull();
        }
        assertThat(create(1, ALL)).isNull();

        tpt.destroy(tpt.byNumber(512));

        assertThat(create(1, ALL).number()).isEqualTo(512);
    }

    @Test
    void randomCreationAndDestructionAgreesWithAMap() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Region> model = new HashMap<>();
        List<Region> live = new ArrayList<>();
        for (int step = 0; step < 50_000; step++) {
            if (live.isEmpty() || (live.size() < 1024 && random.nextInt(100) < 52)) {
                Region region = create(1 + random.nextInt(4), ALL);
                live.add(region);
                model.put((long) region.pd() << 32 | (region.lkey() & 0xffff_ffffL), region);
            } else {
                Region region = live.remove(random.nextInt(live.size()));
                tpt.destroy(region);
                model.remove((long) region.pd() << 32 | (region.lkey() & 0xffff_ffffL));
            }
            if (step % 100 == 0) {
                for (Region region : live) {
                    assertThat(tpt.local(region.pd(), region.lkey(), 0x1000, 1, 0, error))
                            .as("seed " + seed + ", step " + step)
                            .isSameAs(model.get((long) region.pd() << 32 | (region.lkey() & 0xffff_ffffL)));
                }
            }
        }
        assertThat(tpt.live()).isEqualTo(live.size());
    }

    @Test
    void translatesEveryByteOfAScatteredRegion() {
        Region region = tpt.create(
                new RegionPlan(1, 0, 30, ALL, new long[] {0, 5, 6, 20, 30}, new long[] {1000, 500, 2000, 100}));
        long[] starts = {0, 5, 6, 20, 30};
        long[] addresses = {1000, 500, 2000, 100};
        assertThat(region.runCount()).isEqualTo(4);
        int run = 0;
        for (long offset = 0; offset < 30; offset++) {
            if (offset == starts[run + 1]) {
                run++;
            }
            assertThat(region.machineAddress(offset)).isEqualTo(addresses[run] + offset - starts[run]);
            assertThat(region.contiguousBytes(offset)).isEqualTo(starts[run + 1] - offset);
        }
    }

    @Test
    void holdsAsManyRegionsAsItHasNumbersFor() {
        Tpt small = new Tpt(Contexts.ofWindows(1), 2, 1, new SplittableRandom(4));
        RegionPlan plan = new RegionPlan(1, 0x1000, 64, ALL, new long[] {0, 64}, new long[] {8192});

        Region first = small.create(plan);
        Region second = small.create(plan);

        assertThat(small.create(plan)).isNull();
        assertThat(small.live()).isEqualTo(2);
        assertThat(small.byNumber(first.number())).isSameAs(first);
        assertThat(small.byNumber(second.number())).isSameAs(second);
        assertThat(small.byNumber(-1)).isNull();
        assertThat(small.byNumber(0)).isNull();
        assertThat(small.byNumber(3)).isNull();
        small.destroy(first);
        assertThat(small.live()).isEqualTo(1);
        assertThat(small.byNumber(first.number())).isNull();
        assertThat(small.create(plan).number()).isEqualTo(first.number());
    }

    @Test
    void saysWhatWasWrongWithWhichAccess() {
        Region region = create(5, Access.REMOTE_READ.bit());

        assertThat(tpt.remote(5, 0, region.rkey(), 0x1000, 8, Access.REMOTE_WRITE.bit(), error))
                .isNull();
        assertThat(error.vendorError()).isEqualTo(VendorError.KEY_RIGHTS.code());
        assertThat(error.key()).isEqualTo(region.rkey());
        assertThat(error.address()).isEqualTo(0x1000);
        assertThat(error.lengthBytes()).isEqualTo(8);
        assertThat(tpt.remote(5, 0, region.rkey(), 0x1001, 4096, 0, error)).isNull();
        assertThat(error.vendorError()).isEqualTo(VendorError.KEY_RANGE.code());
        assertThat(error.address()).isEqualTo(0x1001);
    }
}
