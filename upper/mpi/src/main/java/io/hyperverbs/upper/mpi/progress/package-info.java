/** Messages on their way: eager, by rendezvous, and within a rank. */
@NullMarked
package io.hyperverbs.upper.mpi.progress;

import org.jspecify.annotations.NullMarked;
