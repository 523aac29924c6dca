package io.hyperverbs.backend.event;

/** Takes the events of one UAR's objects. Called on the relay's thread; must not block. */
public interface EventTarget {
    /** Completion queue {@code number} of the HCA was armed and got a completion. */
    void completion(int number);

    /** Something happened to QPN, CQ or port {@code number}. */
    void async(int typeCode, int number);
}
