package io.hyperverbs.lab.walk.model;

/** An address handle as the specification knows it. */
public final class ModelAh implements ModelObject {
    final ModelPd pd;
    final int lid;
    private boolean alive = true;

    ModelAh(ModelPd pd, int lid) {
        this.pd = pd;
        this.lid = lid;
        pd.children++;
    }

    /** Whether it lies in the PD of a queue pair. */
    public boolean isIn(ModelQp qp) {
        return pd == qp.pd;
    }

    @Override
    public int context() {
        return pd.context;
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public boolean isUsed() {
        return false;
    }

    @Override
    public void end() {
        alive = false;
        pd.children--;
    }
}
