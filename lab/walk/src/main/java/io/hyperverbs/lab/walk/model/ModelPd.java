package io.hyperverbs.lab.walk.model;

/** A protection domain as the specification knows it. */
final class ModelPd implements ModelObject {
    final int context;
    int children;
    private boolean alive = true;

    ModelPd(int context) {
        this.context = context;
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
        return children > 0;
    }

    @Override
    public void end() {
        alive = false;
    }
}
