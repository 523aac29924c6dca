/** Which receive takes which message (MPI 3.1 §3.5). */
@NullMarked
package io.hyperverbs.upper.mpi.match;

import org.jspecify.annotations.NullMarked;
