package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The numbers of a region and of a ring at their edges, against arithmetic that cannot wrap. */
class RegionCheckTest {
    private static final long PAGE = FrameRun.FRAME_BYTES;
    private static final BigInteger PAGE_BYTES = BigInteger.valueOf(PAGE);

    private interface Check {
        void run() throws Refusal;
    }

    private static void passes(Check check) throws Refusal {
        check.run();
    }

    private static void refuses(String words, Check check) {
        Refusal refusal = catchThrowableOfType(Refusal.class, check::run);
        assertThat(refusal).as("must be refused: %s", words).isNotNull();
        assertThat(refusal.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(refusal.words()).isEqualTo(words);
    }

    @Test
    void everySetOfRightsIsTakenOrRefusedByTheRule() throws Refusal {
        for (int access = 0; access < 256; access++) {
            int rights = access;
            boolean writes = (rights & Access.REMOTE_WRITE.bit()) != 0 || (rights & Access.REMOTE_ATOMIC.bit()) != 0;
            if ((rights & ~Access.ALL_BITS) != 0) {
                refuses(
                        "access 0x" + Integer.toHexString(rights) + " has unknown bits",
                        () -> RegionCheck.access(rights));
            } else if (writes && (rights & Access.LOCAL_WRITE.bit()) == 0) {
                refuses("access " + Access.of(rights) + " needs LOCAL_WRITE too", () -> RegionCheck.access(rights));
            } else {
                passes(() -> RegionCheck.access(rights));
            }
        }
    }

    @Test
    void runsAreNotTooMany() throws Refusal {
        int most = RegionCheck.MAX_RUNS;
        List<FrameRun> many = scattered(most);
        passes(() -> RegionCheck.pages(0, most * PAGE, many));

        String words = (most + 1) + " runs of frames in a request, must be at most " + most;
        refuses(words, () -> RegionCheck.pages(0, (most + 1) * PAGE, scattered(most + 1)));
        refuses(words, () -> RegionCheck.ring((most + 1) * PAGE, scattered(most + 1)));
    }

    private static List<FrameRun> scattered(int runs) {
        return IntStream.range(0, runs)
                .mapToObj(i -> new FrameRun(16 + 2L * i, 1))
                .toList();
    }

    @Test
    void lengthIsFromOneToTheMost() throws Refusal {
        passes(() -> RegionCheck.range(0x1000, 1, 100));
        passes(() -> RegionCheck.range(0x1000, 100, 100));
        for (long length : new long[] {0, -1, 101, Long.MAX_VALUE, Long.MIN_VALUE}) {
            refuses("length " + length + ", must be 1 to 100", () -> RegionCheck.range(0x1000, length, 100));
        }
    }

    @Test
    void rangeEndsAtTheEndOfTheAddressSpace() throws Refusal {
        passes(() -> RegionCheck.range(-100, 100, PAGE));
        passes(() -> RegionCheck.range(-1, 1, PAGE));
        passes(() -> RegionCheck.range(0, Long.MAX_VALUE, Long.MAX_VALUE));
        passes(() -> RegionCheck.range(Long.MAX_VALUE, 2, PAGE));
        refuses("region wraps the address space", () -> RegionCheck.range(-100, 101, PAGE));
        refuses("region wraps the address space", () -> RegionCheck.range(-1, 2, PAGE));
    }

    /** One run of all but {@code tail} frames, and that many runs of one. */
    private static List<FrameRun> runs(long frames, int tail) {
        List<FrameRun> runs = new ArrayList<>();
        if (frames > tail) {
            runs.add(new FrameRun(5, frames - tail));
        }
        for (long i = 0; i < Math.min(frames, tail); i++) {
            runs.add(new FrameRun(1000 + 2 * i, 1));
        }
        return runs;
    }

    @Test
    void framesAreThePagesThatTheRangeTouches() throws Refusal {
        long[] lengths = {1, 2, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE - 1, 2 * PAGE, 3 * PAGE, 1L << 40};
        long[] addresses = {0, 1, PAGE - 1, PAGE, 7 * PAGE + 1, -8 * PAGE, Long.MAX_VALUE};
        for (long address : addresses) {
            for (long length : lengths) {
                long offset = address & (PAGE - 1);
                long pages = BigInteger.valueOf(offset)
                                .add(BigInteger.valueOf(length - 1))
                                .divide(PAGE_BYTES)
                                .longValueExact()
                        + 1;
                for (int tail = 0; tail < 3; tail++) {
                    List<FrameRun> exact = runs(pages, tail);
                    List<FrameRun> more = runs(pages + 1, tail);
                    List<FrameRun> fewer = runs(pages - 1, tail);
                    passes(() -> RegionCheck.pages(address, length, exact));
                    refuses(
                            "frames beyond the " + pages + " pages of the region",
                            () -> RegionCheck.pages(address, length, more));
                    refuses(
                            pages - 1 + " frames for a region of " + pages + " pages",
                            () -> RegionCheck.pages(address, length, fewer));
                }
            }
        }
    }

    @Test
    void pagesOfTheLongestRegionDoNotWrap() {
        long pages = Long.MAX_VALUE / PAGE + 2;

        refuses(
                "0 frames for a region of " + pages + " pages",
                () -> RegionCheck.pages(PAGE - 1, Long.MAX_VALUE, List.of()));
    }

    @Test
    void countsOfRunsDoNotWrap() {
        FrameRun most = new FrameRun(0, Long.MAX_VALUE / PAGE);
        FrameRun[] many = new FrameRun[RegionCheck.MAX_RUNS];
        Arrays.fill(many, most);
        many[0] = new FrameRun(0, 1);

        refuses("frames beyond the 2 pages of the region", () -> RegionCheck.pages(0, 2 * PAGE, List.of(many)));
    }

    @Test
    void ringIsAllOfItsFramesInOneRun() throws Refusal {
        for (long length : new long[] {1, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1}) {
            long pages = (length + PAGE - 1) / PAGE;
            for (long given = 1; given < 5; given++) {
                long count = given;
                List<FrameRun> runs = new ArrayList<>();
                for (long i = 0; i < count; i++) {
                    runs.add(new FrameRun(40 + i, 1));
                }
                if (given == pages) {
                    FrameRun whole = new FrameRun(40, pages);
                    assertThat(RegionCheck.ring(length, runs)).isEqualTo(whole);
                    assertThat(RegionCheck.ring(length, List.of(whole))).isEqualTo(whole);
                } else {
                    refuses(count + " frames for a ring of " + pages + " pages", () -> RegionCheck.ring(length, runs));
                }
            }
        }
    }

    @Test
    void framesOfARingFollowEachOther() throws Refusal {
        String apart = "ring frames are not contiguous in the machine";
        List<FrameRun> whole = List.of(new FrameRun(40, 2), new FrameRun(42, 1), new FrameRun(43, 3));
        List<FrameRun> gap = List.of(new FrameRun(40, 2), new FrameRun(42, 1), new FrameRun(44, 3));
        List<FrameRun> back = List.of(new FrameRun(40, 2), new FrameRun(38, 2));

        assertThat(RegionCheck.ring(6 * PAGE, whole)).isEqualTo(new FrameRun(40, 6));
        refuses(apart, () -> RegionCheck.ring(6 * PAGE, gap));
        refuses(apart, () -> RegionCheck.ring(4 * PAGE, back));
    }

    @Test
    void ringOfNothingIsNone() {
        List<FrameRun> one = List.of(new FrameRun(40, 1));

        refuses("ring of 0 bytes", () -> RegionCheck.ring(0, one));
        refuses("ring of -1 bytes", () -> RegionCheck.ring(-1, one));
        refuses("ring of 4096 bytes", () -> RegionCheck.ring(PAGE, List.of()));
    }
}
