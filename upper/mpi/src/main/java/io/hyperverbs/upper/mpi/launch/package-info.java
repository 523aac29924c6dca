/** How a rank begins: {@code hv mpirun} starts {@link io.hyperverbs.upper.mpi.launch.RankProgram} in each guest. */
@NullMarked
package io.hyperverbs.upper.mpi.launch;

import org.jspecify.annotations.NullMarked;
