/** Distributed shared memory for programs of guests: what users call. */
@NullMarked
package io.hyperverbs.upper.dsm;

import org.jspecify.annotations.NullMarked;
