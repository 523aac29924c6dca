package io.hyperverbs.hca.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.EventRingLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventPagesTest {
    private static final long PAGE = 4096;
    private static final int UAR = 2;
    private static final EventRingLayout RING = EventRingLayout.COMPLETIONS;

    private final MemorySegment memory = Arena.ofAuto().allocate(4 * PAGE, PAGE);
    private final List<Long> wakes = new ArrayList<>();
    private final List<Integer> woken = new ArrayList<>();
    private final EventPages pages = new EventPages(RING, memory, 3, wakes::add);
    private int head;

    private void open() {
        pages.open(UAR, PAGE);
        RING.want(memory, PAGE);
    }

    private void flush() {
        pages.flush(woken::add);
    }

    /** Takes all that is posted. */
    private List<Integer> take() {
        List<Integer> slots = new ArrayList<>();
        while (head != RING.tailAcquire(memory, PAGE)) {
            slots.add(RING.entry(memory, PAGE, head++));
        }
        RING.storeHead(memory, PAGE, head);
        return slots;
    }

    @Test
    void postsOnlyWhereItIsWanted() {
        assertThat(pages.post(UAR, 5)).isFalse();
        pages.open(UAR, PAGE);
        assertThat(pages.post(UAR, 5)).isFalse();

        RING.want(memory, PAGE);

        assertThat(pages.post(UAR, 5)).isTrue();
    }

    @Test
    void publishesInOrderAtTheFlush() {
        open();
        assertThat(pages.post(UAR, 5)).isTrue();
        assertThat(pages.post(UAR, 4095)).isTrue();
        assertThat(take()).isEmpty();

        flush();

        assertThat(take()).containsExactly(5, 4095);
        assertThat(wakes).isEmpty();
        assertThat(woken).isEmpty();
    }

    @Test
    void wakesWhoWaitsOnceForAllThatWasPosted() {
        open();
        RING.waiting(memory, PAGE, true);
        assertThat(pages.post(UAR, 1)).isTrue();
        assertThat(pages.post(UAR, 2)).isTrue();

        flush();
        flush();

        assertThat(wakes).containsExactly(RING.tailOffset(PAGE));
        assertThat(woken).containsExactly(UAR);
    }

    @Test
    void refusesWhatThereIsNoRoomFor() {
        open();
        for (int i = 0; i < RING.entries(); i++) {
            assertThat(pages.post(UAR, i)).isTrue();
        }
        assertThat(pages.post(UAR, 7)).isFalse();
        flush();

        assertThat(take()).hasSize(RING.entries()).startsWith(0, 1, 2).endsWith(RING.entries() - 1);

        assertThat(pages.post(UAR, 9)).isTrue();
        flush();
        assertThat(take()).containsExactly(9);
    }

    @Test
    void knowsWhatWasPostedSinceTheLastFlush() {
        open();
        assertThat(pages.isPosted(UAR, 5)).isFalse();
        assertThat(pages.post(UAR, 5)).isTrue();
        assertThat(pages.post(UAR, 6)).isTrue();

        assertThat(pages.isPosted(UAR, 5)).isTrue();
        assertThat(pages.isPosted(UAR, 6)).isTrue();
        assertThat(pages.isPosted(UAR, 7)).isFalse();

        flush();
        assertThat(pages.isPosted(UAR, 5)).isFalse();
    }

    @Test
    void twoRingsOfAPageAreApart() {
        EventPages asyncs = new EventPages(EventRingLayout.ASYNCS, memory, 3, wakes::add);
        open();
        asyncs.open(UAR, PAGE);
        assertThat(asyncs.post(UAR, 1)).isFalse();
        EventRingLayout.ASYNCS.want(memory, PAGE);
        for (int i = 0; i < EventRingLayout.ASYNCS.entries(); i++) {
            assertThat(asyncs.post(UAR, EventRingLayout.async(15, 0xffffff))).isTrue();
        }
        assertThat(asyncs.post(UAR, 1)).isFalse();
        assertThat(pages.post(UAR, 5)).isTrue();

        asyncs.flush(woken::add);
        flush();

        assertThat(take()).containsExactly(5);
        int entry = EventRingLayout.ASYNCS.entry(memory, PAGE, EventRingLayout.ASYNCS.entries() - 1);
        assertThat(EventRingLayout.asyncCode(entry)).isEqualTo(15);
        assertThat(EventRingLayout.asyncNumber(entry)).isEqualTo(0xffffff);
        assertThat(bytes(2 * PAGE, 2 * PAGE)).containsOnly(0);
    }

    /** Whatever the domain writes, its own page is all that changes. */
    @ParameterizedTest
    @EnumSource
    void nothingThatADomainWritesReachesBeyondItsRing(EventRingLayout ring) {
        EventPages hostile = new EventPages(ring, memory, 3, wakes::add);
        SplittableRandom random = new SplittableRandom(7);
        hostile.open(UAR, PAGE);
        ring.want(memory, PAGE);
        int posted = 0;
        for (int i = 0; i < 100_000; i++) {
            int near = ring.tailAcquire(memory, PAGE) - random.nextInt(600);
            ring.storeHead(memory, PAGE, random.nextBoolean() ? near : random.nextInt());
            ring.waiting(memory, PAGE, random.nextBoolean());
            posted += hostile.post(UAR, 1 + random.nextInt(4095)) ? 1 : 0;
            if (random.nextInt(8) == 0) {
                hostile.flush(woken::add);
            }
        }

        assertThat(posted).isPositive();
        long begin = ring.tailOffset(0);
        long end = begin + 128 + ring.entries() * 4L;
        assertThat(bytes(0, PAGE + begin)).containsOnly(0);
        assertThat(bytes(PAGE + begin + 128, 4)).isNotEqualTo(new byte[4]);
        assertThat(bytes(PAGE + end, 3 * PAGE - end)).containsOnly(0);
    }

    private byte[] bytes(long from, long count) {
        return memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void aPageThatWasClosedGetsNothing() {
        open();
        RING.waiting(memory, PAGE, true);
        assertThat(pages.post(UAR, 5)).isTrue();
        pages.close(UAR);

        flush();

        assertThat(take()).isEmpty();
        assertThat(wakes).isEmpty();
        assertThat(pages.post(UAR, 5)).isFalse();
    }

    @Test
    void thePageAfterItBeginsAtZero() {
        open();
        assertThat(pages.post(UAR, 5)).isTrue();
        flush();
        pages.close(UAR);
        memory.asSlice(PAGE, PAGE).fill((byte) 0);

        open();
        assertThat(pages.post(UAR, 6)).isTrue();
        flush();

        assertThat(take()).containsExactly(6);
    }
}
