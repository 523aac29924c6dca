/** How a rank begins: {@code hv mpirun} starts {@link io.hyperverbs.upper.job.launch.RankProgram} in each guest. */
@NullMarked
package io.hyperverbs.upper.job.launch;

import org.jspecify.annotations.NullMarked;
