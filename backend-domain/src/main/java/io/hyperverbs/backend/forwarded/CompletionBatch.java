package io.hyperverbs.backend.forwarded;

/**
 * Consecutive entries of one completion queue, on their way to its domain. Nobody writes to the
 * array any more.
 *
 * @param firstIndex index of the first, modulo 2^32
 * @param entries bytes of {@code CqeLayout}
 */
@SuppressWarnings("ArrayRecordComponent") // Passed on once, never compared.
public record CompletionBatch(long cq, int firstIndex, byte[] entries) {}
