/** What goes wrong, by MPI's classes of errors. */
@NullMarked
package io.hyperverbs.upper.mpi.error;

import org.jspecify.annotations.NullMarked;
