package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.verbs.VerbsException;

/** How packets go to one neighbour. For whoever holds the link's lock. */
interface NeighbourSender {
    /**
     * Sends what is in a slot of {@link LinkSender}, from its first byte; or drops it, and counts it.
     *
     * @param lengthBytes with the encapsulation
     * @throws VerbsException if there is no way to that address; the slot is the caller's then
     */
    void send(int slot, int lengthBytes, HardwareAddress to) throws VerbsException;
}
