/** Programs of ranks: what MPI promises, as cases and as random traffic against a model; and what messages cost. */
@NullMarked
package io.hyperverbs.lab.mpi;

import org.jspecify.annotations.NullMarked;
