package io.hyperverbs.hca.event;

import io.hyperverbs.hca.layout.EventRingLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Completion events posted into the UAR pages of domains that want them there: no other party is on the way. What a
 * page says is its domain's, and costs nobody else anything. Engine thread only; allocates nothing after construction.
 */
public final class EventPages {
    private static final long NO_PAGE = -1;

    private final MemorySegment memory;
    private final LongConsumer wake;
    // By number of the UAR.
    private final long[] pages;
    private final int[] tails;
    private final int[] lost;
    private final boolean[] isUnpublished;
    private final int[] unpublished;
    private int unpublishedCount;

    /**
     * @param wake wakes who sleeps on the word at a machine address; must not wait
     */
    public EventPages(MemorySegment memory, int maxUar, LongConsumer wake) {
        this.memory = memory;
        this.wake = wake;
        this.pages = new long[maxUar + 1];
        this.tails = new int[maxUar + 1];
        this.lost = new int[maxUar + 1];
        this.isUnpublished = new boolean[maxUar + 1];
        this.unpublished = new int[maxUar + 1];
        Arrays.fill(pages, NO_PAGE);
    }

    /** A UAR was opened on a zeroed page. */
    public void open(int uar, long page) {
        pages[uar] = page;
        tails[uar] = 0;
        lost[uar] = 0;
    }

    public void close(int uar) {
        pages[uar] = NO_PAGE;
    }

    /**
     * Posts the event of the completion queue at a doorbell slot; {@link #flush} publishes it. Where there is no room the
     * domain finds that one was lost.
     *
     * @return false if the domain does not want events there
     */
    boolean post(int uar, int slot) {
        long page = pages[uar];
        if (page == NO_PAGE || !EventRingLayout.isWanted(memory, page)) {
            return false;
        }
        int held = tails[uar] - EventRingLayout.headAcquire(memory, page);
        if (held < 0 || held >= EventRingLayout.ENTRIES) {
            EventRingLayout.storeLost(memory, page, ++lost[uar]);
        } else {
            EventRingLayout.write(memory, page, tails[uar]++, slot);
        }
        if (!isUnpublished[uar]) {
            isUnpublished[uar] = true;
            unpublished[unpublishedCount++] = uar;
        }
        return true;
    }

    /**
     * Publishes what was posted since the last call, and wakes who sleeps.
     *
     * @param woken gets the number of each UAR whose domain was woken
     */
    public void flush(IntConsumer woken) {
        for (int i = 0; i < unpublishedCount; i++) {
            int uar = unpublished[i];
            isUnpublished[uar] = false;
            long page = pages[uar];
            if (page != NO_PAGE && EventRingLayout.publish(memory, page, tails[uar])) {
                wake.accept(EventRingLayout.tailOffset(page));
                woken.accept(uar);
            }
        }
        unpublishedCount = 0;
    }
}
