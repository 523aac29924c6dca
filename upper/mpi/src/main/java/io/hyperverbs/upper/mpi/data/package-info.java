/** Users' buffers, their types, and how they are reduced. */
@NullMarked
package io.hyperverbs.upper.mpi.data;

import org.jspecify.annotations.NullMarked;
