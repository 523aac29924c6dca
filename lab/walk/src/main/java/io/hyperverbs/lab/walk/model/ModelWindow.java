package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.verbs.Access;
import org.jspecify.annotations.Nullable;

/** A memory window as the specification knows it; closed ones are kept for their dead keys. */
public final class ModelWindow extends ModelObject {
    private static final int REMOTE = Access.REMOTE_READ.bit() | Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();
    private static final int NEVER = -1;

    final int number;
    final ModelPd pd;
    private final boolean typeTwo;

    /** Of the last bind that was posted. */
    int posted;

    private @Nullable ModelRegion region;
    private @Nullable ModelQp through;
    private long offset;
    private long length;
    private int access;
    private int bound = NEVER;

    ModelWindow(int number, ModelPd pd, int type) {
        super(pd);
        this.number = number;
        this.pd = pd;
        this.typeTwo = type == 2;
    }

    /** Tells objects of a walk apart, those that are gone too. */
    public int number() {
        return number;
    }

    @Override
    void end() {
        unbind();
        super.end();
    }

    /** Whether it is bound by requests to keys of the program's choice. */
    public boolean isTypeTwo() {
        return typeTwo;
    }

    /** The tag of the last bind that was posted. */
    public int posted() {
        return posted;
    }

    /** Whether it lies in the PD of a queue pair. */
    public boolean isIn(ModelQp qp) {
        return pd == qp.pd;
    }

    /** Whether it shows something. */
    public boolean isBound() {
        return region != null;
    }

    /** The tag of the last bind that was done; negative if none was. */
    public int tag() {
        return bound;
    }

    /** From the first byte of the memory of all domains, while it is bound. */
    public long offset() {
        return offset;
    }

    public int lengthBytes() {
        return (int) length;
    }

    /** Whether peers of a queue pair have that right by its key. */
    public boolean gives(ModelQp to, int right) {
        return opens(to, offset, length, right);
    }

    boolean isBoundTo(int tag) {
        return isBound() && bound == tag;
    }

    /** Whether it may be ended by a request on that queue pair. */
    boolean isOf(ModelQp qp) {
        return typeTwo && isBound() && through == qp;
    }

    boolean opens(ModelQp to, long at, long bytes, int right) {
        boolean isTheirs = isBound() && pd == to.pd && (through == null || through == to);
        return new AccessOracle.Key(isTheirs, access, offset, length).opens(right, at, bytes);
    }

    /**
     * A bind that is done by a queue pair (IBA 10.6.7.2).
     *
     * @param range with the local key of its region
     * @return false if it fails; nothing has changed then
     */
    boolean bind(ModelQp by, Span range, int asked, int tag) {
        if (!isAlive() || pd != by.pd || (typeTwo && (isBound() || bound == tag))) {
            return false;
        }
        if (!typeTwo && range.length() == 0) {
            unbind();
            return true;
        }
        boolean legal = (asked & ~REMOTE) == 0
                && range.length() > 0
                && range.serves(pd, AccessOracle.neededToBind(asked))
                && range.key() instanceof ModelRegion;
        if (legal && range.key() instanceof ModelRegion target) {
            unbind();
            region = target;
            target.use();
            through = typeTwo ? by : null;
            offset = range.offset();
            length = range.length();
            access = asked;
            bound = tag;
        }
        return legal;
    }

    /** Its key opens nothing from now on. */
    void unbind() {
        if (region != null) {
            region.release();
            region = null;
            through = null;
        }
    }

    /** The queue pair goes to RESET or is destroyed: what was bound through it is free. */
    void leaves(ModelQp qp) {
        if (through == qp) {
            unbind();
        }
    }
}
