package io.hyperverbs.backend.engine;

import io.hyperverbs.hca.Dma;
import io.hyperverbs.hca.DoorbellSleep;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.HcaEvent;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.InterruptLine;

/** A running HCA: commands, events, and an engine thread of its own. */
public interface Card extends AutoCloseable {
    /** Makes cards. */
    interface Slot {
        /** Bytes of on-board memory that a card of these limits needs. */
        long contextMemoryBytes(HcaLimits limits);

        /**
         * Starts a card.
         *
         * @param contextMemoryAddress machine address of its zeroed on-board memory
         * @param statusPageAddress machine address of its zeroed status page
         */
        Card start(
                Dma dma,
                InterruptLine interrupts,
                DoorbellSleep sleep,
                HcaLimits limits,
                long contextMemoryAddress,
                long statusPageAddress);
    }

    HcaCommands commands();

    /** Takes the next event; false if there is none. One thread at a time. */
    boolean poll(HcaEvent event);

    /** Stops the engine thread. */
    @Override
    void close();
}
