/** Which rank of which job a program is. */
@NullMarked
package io.hyperverbs.upper.mpi.job;

import org.jspecify.annotations.NullMarked;
