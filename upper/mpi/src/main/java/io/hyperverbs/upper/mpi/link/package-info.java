/** Connections of ranks: rings, credits, and who is gone. */
@NullMarked
package io.hyperverbs.upper.mpi.link;

import org.jspecify.annotations.NullMarked;
