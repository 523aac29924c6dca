package io.hyperverbs.toolstack.walk.model;

/** A completion queue as the specification knows it. */
final class ModelCq {
    final int slot;
    final int context;
    final int entries;
    int users;

    ModelCq(int slot, int context, int entries) {
        this.slot = slot;
        this.context = context;
        this.entries = entries;
    }
}
