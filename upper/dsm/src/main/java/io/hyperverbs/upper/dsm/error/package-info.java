/** What goes wrong. */
@NullMarked
package io.hyperverbs.upper.dsm.error;

import org.jspecify.annotations.NullMarked;
