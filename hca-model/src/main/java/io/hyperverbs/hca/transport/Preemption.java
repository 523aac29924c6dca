package io.hyperverbs.hca.transport;

/** Domains that want the engine and are not active yet: a long copy is cut into chunks for them. */
public interface Preemption {
    /** Whether one rings now. Engine thread; a few loads. */
    boolean shouldYield();

    /** Whether some came lately, so that more are to be expected. */
    boolean expectsMore();
}
