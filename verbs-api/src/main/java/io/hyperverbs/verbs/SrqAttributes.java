package io.hyperverbs.verbs;

/**
 * A shared receive queue as the HCA has it ({@code ibv_query_srq}).
 *
 * @param limits sizes: at least what was asked
 * @param limit receives below which {@link AsyncEvent.Type#SRQ_LIMIT_REACHED} comes; 0: not armed
 */
public record SrqAttributes(SrqLimits limits, int limit) {}
