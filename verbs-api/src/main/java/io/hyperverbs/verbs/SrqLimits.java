package io.hyperverbs.verbs;

/**
 * Sizes of a shared receive queue ({@code ibv_srq_attr}).
 *
 * @param receiveWr receive requests outstanding, from 1
 * @param receiveSge SGEs per request, from 1
 */
public record SrqLimits(int receiveWr, int receiveSge) {}
