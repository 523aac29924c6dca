package io.hyperverbs.toolstack.walk.model;

/** A memory region as the specification knows it; closed ones are kept for their dead keys. */
public final class ModelRegion implements ModelObject {
    final ModelPd pd;
    final int access;
    private boolean alive = true;
    private final long offset;
    private final long length;

    ModelRegion(ModelPd pd, long offset, long length, int access) {
        this.pd = pd;
        this.offset = offset;
        this.length = length;
        this.access = access;
        pd.children++;
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public int context() {
        return pd.context;
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

    /** Whether its key serves for this access through a queue pair of {@code of}. */
    boolean serves(ModelPd of, long at, long bytes, int rights) {
        return alive
                && pd == of
                && (access & rights) == rights
                && Long.compareUnsigned(bytes, length) <= 0
                && Long.compareUnsigned(at - offset, length - bytes) <= 0;
    }
}
