/** Jobs of MPI on several data paths in turn: {@code hv bench mpi}. */
@NullMarked
package io.hyperverbs.lab.run.mpi;

import org.jspecify.annotations.NullMarked;
