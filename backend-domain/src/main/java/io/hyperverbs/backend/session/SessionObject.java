package io.hyperverbs.backend.session;

/** A node of a session's object tree. Changes under its session's lock alone. */
public abstract sealed class SessionObject
        permits ContextObject,
                PdObject,
                RegionObject,
                RingObject,
                CqObject,
                QpObject,
                SrqObject,
                WindowObject,
                AhObject {
    private long handle;
    private int references;

    /** Its handle once it is in its table; 0 before. */
    public long handle() {
        return handle;
    }

    public void handle(long given) {
        this.handle = given;
    }

    /** Another object needs this one from now on. */
    public void reference() {
        references++;
    }

    public void dereference() {
        if (references == 0) {
            throw new IllegalStateException(this + " has no reference left to drop");
        }
        references--;
    }

    /** Objects that need this one; it cannot be destroyed while there are any. */
    public int references() {
        return references;
    }
}
