package io.hyperverbs.lab.bench.perf;

/**
 * Queue pairs of a round and how they are posted to, with perftest's options.
 *
 * @param queuePairs {@code -q}
 * @param txDepth {@code -t}: sends outstanding on each
 * @param rxDepth {@code -r}: receives posted on each, or on the SRQ
 * @param postList {@code -l}: sends posted by one doorbell
 * @param cqModeration {@code -Q}: one of so many sends is signalled
 * @param inlineBytes {@code -I}: payload up to so many bytes is copied into the WQE
 */
public record PerfQueues(int queuePairs, int txDepth, int rxDepth, int postList, int cqModeration, int inlineBytes) {}
