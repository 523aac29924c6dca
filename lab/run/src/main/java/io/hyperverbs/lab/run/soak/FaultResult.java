package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;

/**
 * What became of a fault.
 *
 * @param number from 1
 * @param atMillis after the first one
 * @param tookMillis until all it had was free again
 * @param observed what was seen of it, or what is wrong
 */
public record FaultResult(int number, long atMillis, String fault, long tookMillis, Verdict verdict, String observed) {}
