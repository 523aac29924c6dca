package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.bench.CallSequence;

/**
 * What is compared across sites.
 *
 * @param bytes of memory; 0 where the sequence has no sizes
 */
public record CallCell(CallSequence sequence, int bytes) {
    /** What progress says. */
    String words() {
        return bytes == 0 ? sequence.word() : sequence.word() + " " + bytes + " B";
    }
}
