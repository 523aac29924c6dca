package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.VerbsException;

/** Something a guest asks of the HCA again and again. */
interface Load {
    /** Asks once more; of a victim, one operation from its beginning to its end. */
    void step() throws VerbsException;

    /** Leaves nothing under way. */
    default void settle() throws VerbsException {}
}
