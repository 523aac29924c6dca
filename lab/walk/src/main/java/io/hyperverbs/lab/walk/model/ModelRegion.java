package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.conformance.access.AccessOracle;

/** A memory region as the specification knows it; closed ones are kept for their dead keys. */
public final class ModelRegion extends ModelObject implements Key {
    final ModelPd pd;
    final int access;

    private final long offset;
    private final long length;

    ModelRegion(ModelPd pd, long offset, long length, int access) {
        super(pd);
        this.pd = pd;
        this.offset = offset;
        this.length = length;
        this.access = access;
    }

    /** From the first byte of the memory of all domains. */
    public long offset() {
        return offset;
    }

    public int lengthBytes() {
        return (int) length;
    }

    public int access() {
        return access;
    }

    @Override
    public boolean serves(ModelPd of, long at, long bytes, int rights) {
        return new AccessOracle.Key(isAlive() && pd == of, access, offset, length).opens(rights, at, bytes);
    }

    @Override
    public boolean opens(ModelQp through, long at, long bytes, int right) {
        return serves(through.pd, at, bytes, right);
    }
}
