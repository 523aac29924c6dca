/** Bytes that ranks write into each other's memory. */
@NullMarked
package io.hyperverbs.upper.mpi.frame;

import org.jspecify.annotations.NullMarked;
