package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.cq.CqEvents;
import io.hyperverbs.hca.cq.CqTable;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.schedule.EngineCost;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.transport.Preemption;
import java.lang.foreign.MemorySegment;

/**
 * The doorbells of all pages. A turn takes so many of each domain, at a price; who rings all slots
 * without end keeps the engine no longer than one who rings a few. Engine thread only.
 */
public final class Doorbells implements Preemption {
    // With more open pages, so many are looked at for newcomers: those who came often.
    private static final int GLANCE = 8;

    private final ContextMemory contexts;
    private final MemorySegment memory;
    private final UarTable uars;
    private final CqTable cqs;
    private final QpArbiter arbiter;
    private final CqEvents events;
    private long turn;
    private int firstPage;

    Doorbells(ContextMemory contexts, UarTable uars, CqTable cqs, QpArbiter arbiter, CqEvents events) {
        this.contexts = contexts;
        this.memory = contexts.memory();
        this.uars = uars;
        this.cqs = cqs;
        this.arbiter = arbiter;
        this.events = events;
    }

    /** Whether anything was rung: a look at each page. */
    boolean isRung() {
        for (int i = 0; i < uars.openCount(); i++) {
            Uar uar = uars.open(i);
            if (uar.isRung(memory)) {
                return true;
            }
        }
        return false;
    }

    /** Takes what was rung, as far as this turn goes. @return how many; 0 if nothing was rung */
    int take() {
        int pages = uars.openCount();
        if (pages == 0) {
            return 0;
        }
        turn++;
        // Another page each time, as those of one domain share what it may ring.
        firstPage = firstPage + 1 < pages ? firstPage + 1 : 0;
        int work = 0;
        for (int i = 0; i < pages; i++) {
            int place = firstPage + i;
            Uar uar = uars.open(place < pages ? place : place - pages);
            if (uar.isRung(memory) && uar.share().doorbellsLeft(turn) > 0) {
                if (arbiter.isNewcomer(uar.share())) {
                    uars.promote(place < pages ? place : place - pages);
                }
                work += takePage(uar);
            }
        }
        return work;
    }

    private int takePage(Uar uar) {
        DomainShare share = uar.share();
        int most = share.doorbellsLeft(turn);
        int work = 0;
        long words = uar.takeWords(memory);
        int word = uar.leftWord();
        long slots = uar.leftSlots();
        while (work < most && (words | slots) != 0) {
            // A word without slots takes its time too.
            work++;
            if (slots == 0) {
                word = Long.numberOfTrailingZeros(words);
                words &= words - 1;
                slots = UarLayout.takeWord(memory, uar.page(), word);
            }
            if (slots != 0) {
                ring(uar, uar.object(word * 64 + Long.numberOfTrailingZeros(slots)));
                slots &= slots - 1;
            }
        }
        uar.leave(words, word, slots);
        share.rang(turn, work);
        arbiter.chargeFixed(share, work * EngineCost.DOORBELL);
        return work;
    }

    private void ring(Uar uar, int object) {
        if (object > 0) {
            arbiter.add(uar.share(), object - 1);
            return;
        }
        Cq cq = object < 0 ? cqs.byNumber(-object) : null;
        if (cq == null) {
            contexts.count(Counter.UNKNOWN_DOORBELLS);
        } else {
            events.signal(cq, cq.takeArms());
        }
    }

    @Override
    public boolean shouldYield() {
        int pages = uars.openCount();
        int looks = Math.min(pages, GLANCE);
        for (int i = 0; i < looks; i++) {
            Uar uar = uars.open(i);
            if (arbiter.isNewcomer(uar.share()) && uar.isRung(memory)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean expectsMore() {
        return arbiter.isSharedLately();
    }
}
