package io.hyperverbs.upper.dsm.protocol;

import java.util.List;
import java.util.Optional;

/** What nodes send to each other. The place in this list is the code on the wire. */
public enum ControlType {
    /** To the home: the sender wants a copy to read. */
    READ_REQUEST,
    /** To the home: the sender wants the only copy, to write. */
    WRITE_REQUEST,
    /** Home to owner: give {@code node} a copy, keep one to read. */
    LEND_COPY,
    /** Home to owner: give {@code node} the only copy. */
    GIVE_UP,
    /** Home to reader: drop the copy. */
    INVALIDATE,
    /** Reader to home: the copy is dropped. */
    INVALIDATED,
    /** To who requested: the copy is there, to read. */
    READ_GRANT,
    /** To who requested: the only copy is there, to write. */
    WRITE_GRANT,
    /** Home to who requested: fetch the copy to read from {@code node} by RDMA read. */
    READ_AT,
    /** To the home: the access is made for which the copy was requested. */
    ACCESS_DONE,
    /** To the lock's home. */
    LOCK_REQUEST,
    /** To who requested the lock. */
    LOCK_GRANT,
    /** To the lock's home. */
    UNLOCK,
    /** To node 0: the sender has come to the barrier; {@code value} says which collective call it made. */
    BARRIER_ARRIVED,
    /** From node 0: all have come; {@code value} is 0, or 1 if they made different calls. */
    BARRIER_RELEASED;

    private static final List<ControlType> BY_CODE = List.of(values());

    /** Code on the wire. */
    public int code() {
        return BY_CODE.indexOf(this);
    }

    /** Empty for a code that is none. */
    public static Optional<ControlType> ofCode(int code) {
        return code >= 0 && code < BY_CODE.size() ? Optional.of(BY_CODE.get(code)) : Optional.empty();
    }
}
