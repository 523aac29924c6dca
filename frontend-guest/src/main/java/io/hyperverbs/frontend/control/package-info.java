/**
 * The control path as the driver uses it: {@link io.hyperverbs.frontend.control.PrivilegedVerbs}
 * turns replies into values and refusals into exceptions, and writes both to the verb log. Any
 * thread.
 */
@NullMarked
package io.hyperverbs.frontend.control;

import org.jspecify.annotations.NullMarked;
