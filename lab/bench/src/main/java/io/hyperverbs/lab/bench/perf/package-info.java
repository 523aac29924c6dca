/**
 * Latency and bandwidth between two domains as perftest measures them: {@link
 * io.hyperverbs.lab.bench.perf.PerfProgram} does one {@link io.hyperverbs.lab.bench.perf.PerfRound} after another, each
 * with queue pairs of its own. Written against verbs-api alone; runs on the main thread of its domain.
 */
@NullMarked
package io.hyperverbs.lab.bench.perf;

import org.jspecify.annotations.NullMarked;
