/** Operations of all ranks of a communicator, out of messages. */
@NullMarked
package io.hyperverbs.upper.mpi.collective;

import org.jspecify.annotations.NullMarked;
