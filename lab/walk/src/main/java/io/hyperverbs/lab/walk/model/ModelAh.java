package io.hyperverbs.lab.walk.model;

/** An address handle as the specification knows it. */
public final class ModelAh extends ModelObject {
    final ModelPd pd;
    final int lid;

    ModelAh(ModelPd pd, int lid) {
        super(pd);
        this.pd = pd;
        this.lid = lid;
    }

    /** Whether it lies in the PD of a queue pair. */
    public boolean isIn(ModelQp qp) {
        return pd == qp.pd;
    }
}
