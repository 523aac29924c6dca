/**
 * Why {@code hv} cannot go on: an exit code, what was found and what to do about it
 * ({@link io.hyperverbs.launcher.failure.HvException}). Immutable.
 */
@NullMarked
package io.hyperverbs.launcher.failure;

import org.jspecify.annotations.NullMarked;
