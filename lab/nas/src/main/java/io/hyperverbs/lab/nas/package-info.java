/**
 * Kernels of the NAS Parallel Benchmarks over MPI, written from their description (NAS reports RNR-94-007 and
 * NAS-95-020); parameters and verification values are the published ones. A {@link io.hyperverbs.lab.nas.NasKernel} is
 * the mathematics, and {@link io.hyperverbs.lab.nas.RankPeers} what it asks of the other ranks. One thread.
 */
@NullMarked
package io.hyperverbs.lab.nas;

import org.jspecify.annotations.NullMarked;
