package io.hyperverbs.lab.dsm.litmus;

/**
 * A load or a store.
 *
 * @param variable from 0
 * @param stored the value, or 0 for a load
 * @param pause how long the node waits before it, in turns of an empty loop
 */
record LitmusOp(int variable, int stored, int pause) {
    boolean isStore() {
        return stored != 0;
    }
}
