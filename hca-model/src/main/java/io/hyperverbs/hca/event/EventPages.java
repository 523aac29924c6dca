package io.hyperverbs.hca.event;

import io.hyperverbs.hca.layout.EventRingLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * Events of one kind posted into the UAR pages of domains that want them there: no other party is on the way. What a
 * page says is its domain's, and costs nobody else anything. Engine thread only; allocates nothing after construction.
 */
public final class EventPages {
    private static final long NO_PAGE = -1;

    private final EventRingLayout ring;
    private final MemorySegment memory;
    private final LongConsumer wake;
    // By number of the UAR.
    private final long[] pages;
    private final int[] tails;
    private final int[] published;
    private final boolean[] isUnpublished;
    private final int[] unpublished;
    private int unpublishedCount;

    /**
     * @param wake wakes who sleeps on the word at a machine address; must not wait
     */
    public EventPages(EventRingLayout ring, MemorySegment memory, int maxUar, LongConsumer wake) {
        this.ring = ring;
        this.memory = memory;
        this.wake = wake;
        this.pages = new long[maxUar + 1];
        this.tails = new int[maxUar + 1];
        this.published = new int[maxUar + 1];
        this.isUnpublished = new boolean[maxUar + 1];
        this.unpublished = new int[maxUar + 1];
        Arrays.fill(pages, NO_PAGE);
    }

    /** A UAR was opened on a zeroed page. */
    public void open(int uar, long page) {
        pages[uar] = page;
        tails[uar] = 0;
        published[uar] = 0;
    }

    public void close(int uar) {
        pages[uar] = NO_PAGE;
        published[uar] = tails[uar];
    }

    /**
     * Posts an event; {@link #flush} publishes it.
     *
     * @return false if the domain does not want events there, or has not taken those before and there is no room
     */
    boolean post(int uar, int entry) {
        long page = pages[uar];
        if (page == NO_PAGE || !ring.isWanted(memory, page)) {
            return false;
        }
        int held = tails[uar] - ring.headAcquire(memory, page);
        if (held < 0 || held >= ring.entries()) {
            return false;
        }
        ring.write(memory, page, tails[uar]++, entry);
        if (!isUnpublished[uar]) {
            isUnpublished[uar] = true;
            unpublished[unpublishedCount++] = uar;
        }
        return true;
    }

    /**
     * Whether that very event was posted since the last {@link #flush}, if the domain, which might write there, did not;
     * looks at each that was.
     */
    boolean isPosted(int uar, int entry) {
        for (int i = published[uar]; i != tails[uar]; i++) {
            if (ring.entry(memory, pages[uar], i) == entry) {
                return true;
            }
        }
        return false;
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
            published[uar] = tails[uar];
            long page = pages[uar];
            if (page != NO_PAGE && ring.publish(memory, page, tails[uar])) {
                wake.accept(ring.tailOffset(page));
                woken.accept(uar);
            }
        }
        unpublishedCount = 0;
    }
}
