/** Keeps libraries from filling the console with what no reader of it can act on. */
@NullMarked
package io.hyperverbs.backend.log;

import org.jspecify.annotations.NullMarked;
