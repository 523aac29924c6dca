package io.hyperverbs.lab.walk.model;

/** A completion queue as the specification knows it. */
final class ModelCq implements ModelObject {
    final int slot;
    final int context;
    final int entries;
    int users;
    private boolean alive = true;

    ModelCq(int slot, int context, int entries) {
        this.slot = slot;
        this.context = context;
        this.entries = entries;
    }

    @Override
    public int context() {
        return context;
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public boolean isUsed() {
        return users > 0;
    }

    @Override
    public void end() {
        alive = false;
    }
}
