/**
 * Measures what bypassing the hypervisor is worth: rounds of several data paths, interleaved
 * ({@link io.hyperverbs.toolstack.bench.BenchRun}), and what is computed from them ({@link
 * io.hyperverbs.toolstack.bench.BenchResult}). One thread, but for the two of {@link
 * io.hyperverbs.toolstack.bench.HopProbe}.
 */
@NullMarked
package io.hyperverbs.toolstack.bench;

import org.jspecify.annotations.NullMarked;
