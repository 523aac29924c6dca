package io.hyperverbs.lab.walk.model;

/** A completion queue as the specification knows it. */
final class ModelCq extends ModelObject {
    final int slot;
    final int entries;

    ModelCq(int slot, int context, int entries) {
        super(context);
        this.slot = slot;
        this.entries = entries;
    }
}
