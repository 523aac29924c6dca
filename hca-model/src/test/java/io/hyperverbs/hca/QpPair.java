package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaFixture.Buffer;

/** Two queue pairs with a buffer each, within one HCA or on two, and the time they live in, which the test sets. */
interface QpPair {
    /** Timeout code 10, which {@link TestQp#connect} sets: 4.096 us x 2^10. */
    long TIMEOUT_NANOS = 4096L << 10;

    /** Timers fire within a tick of 8.192 us after their deadline. */
    long TICK_NANOS = 1 << 13;

    /** How long the requester waits for an acknowledgement that has failed to come so many times in a row. */
    default long ackWaitNanos(int waits) {
        return TIMEOUT_NANOS;
    }

    /** The one that sends. */
    TestQp a();

    TestQp b();

    /** Of {@link #a}. */
    Buffer from();

    /** Of {@link #b}. */
    Buffer to();

    /** Lets the engines work until they find nothing more to do, without time passing. */
    void run();

    /** Lets time pass in one jump, then runs. */
    void pass(long nanos);

    /** Lets time pass in steps of a tick, as timers run out one after the other: in one jump each would start late. */
    default void step(long nanos) {
        for (long passed = 0; passed < nanos; passed += TICK_NANOS) {
            pass(Math.min(TICK_NANOS, nanos - passed));
        }
    }
}
