package io.hyperverbs.hca.transport;

/** Those who want the engine and are not in line yet: a long piece of work is cut for them. */
public interface Preemption {
    /** Whether one rings now. Engine thread; a few loads. */
    boolean shouldYield();

    /** Whether some came lately, so that more are to be expected. */
    boolean expectsMore();
}
