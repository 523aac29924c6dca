/**
 * Measures what bypassing the hypervisor is worth: rounds of several data paths, interleaved
 * ({@link io.hyperverbs.lab.run.bench.BenchRun}), and what is computed from them ({@link
 * io.hyperverbs.lab.run.bench.BenchResult}). One thread, but for the two of {@link
 * io.hyperverbs.lab.run.bench.HopProbe}.
 */
@NullMarked
package io.hyperverbs.lab.run.bench;

import org.jspecify.annotations.NullMarked;
