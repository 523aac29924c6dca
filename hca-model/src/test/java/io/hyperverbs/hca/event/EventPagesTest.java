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

class EventPagesTest {
    private static final long PAGE = 4096;
    private static final int UAR = 2;

    private final MemorySegment memory = Arena.ofAuto().allocate(4 * PAGE, PAGE);
    private final List<Long> wakes = new ArrayList<>();
    private final List<Integer> woken = new ArrayList<>();
    private final EventPages pages = new EventPages(memory, 3, wakes::add);
    private int head;

    private void open() {
        pages.open(UAR, PAGE);
        EventRingLayout.want(memory, PAGE);
    }

    private void flush() {
        pages.flush(woken::add);
    }

    /** Takes all that is posted. */
    private List<Integer> take() {
        List<Integer> slots = new ArrayList<>();
        while (head != EventRingLayout.tailAcquire(memory, PAGE)) {
            slots.add(EventRingLayout.slot(memory, PAGE, head++));
        }
        EventRingLayout.storeHead(memory, PAGE, head);
        return slots;
    }

    @Test
    void postsOnlyWhereItIsWanted() {
        assertThat(pages.post(UAR, 5)).isFalse();
        pages.open(UAR, PAGE);
        assertThat(pages.post(UAR, 5)).isFalse();

        EventRingLayout.want(memory, PAGE);

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
        EventRingLayout.waiting(memory, PAGE, true);
        assertThat(pages.post(UAR, 1)).isTrue();
        assertThat(pages.post(UAR, 2)).isTrue();

        flush();
        flush();

        assertThat(wakes).containsExactly(EventRingLayout.tailOffset(PAGE));
        assertThat(woken).containsExactly(UAR);
    }

    @Test
    void saysThatEventsWereLostWhereThereIsNoRoom() {
        open();
        for (int i = 0; i < EventRingLayout.ENTRIES + 3; i++) {
            assertThat(pages.post(UAR, i)).isTrue();
        }
        flush();

        assertThat(EventRingLayout.lostAcquire(memory, PAGE)).isEqualTo(3);
        assertThat(take()).hasSize(EventRingLayout.ENTRIES).startsWith(0, 1, 2).endsWith(EventRingLayout.ENTRIES - 1);

        assertThat(pages.post(UAR, 9)).isTrue();
        flush();
        assertThat(take()).containsExactly(9);
    }

    /** Whatever the domain writes, its own page is all that changes. */
    @Test
    void nothingThatADomainWritesReachesBeyondItsPage() {
        SplittableRandom random = new SplittableRandom(7);
        open();
        for (int i = 0; i < 100_000; i++) {
            int near = EventRingLayout.tailAcquire(memory, PAGE) - random.nextInt(600);
            EventRingLayout.storeHead(memory, PAGE, random.nextBoolean() ? near : random.nextInt());
            EventRingLayout.waiting(memory, PAGE, random.nextBoolean());
            assertThat(pages.post(UAR, 1 + random.nextInt(4095))).isTrue();
            if (random.nextInt(8) == 0) {
                flush();
            }
        }

        assertThat(bytes(0, PAGE)).containsOnly(0);
        // The doorbells are the guest's.
        assertThat(bytes(PAGE, 1024)).containsOnly(0);
        assertThat(bytes(PAGE + 1152, 4)).isNotEqualTo(new byte[4]);
        assertThat(bytes(2 * PAGE, 2 * PAGE)).containsOnly(0);
    }

    private byte[] bytes(long from, long count) {
        return memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void aPageThatWasClosedGetsNothing() {
        open();
        EventRingLayout.waiting(memory, PAGE, true);
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
