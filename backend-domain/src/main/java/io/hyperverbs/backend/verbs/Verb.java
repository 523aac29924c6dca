package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.vmm.io.ControlReply;

/** A request that passed its checks. */
interface Verb {
    /**
     * Does it.
     *
     * @param undo gets a step for each effect
     * @throws Refusal if the device is exhausted or the HCA refuses; the caller takes back what was
     *     done
     */
    ControlReply apply(Undo undo) throws Refusal;
}
