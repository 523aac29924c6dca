/**
 * For drivers: how the running domain makes itself known to {@link
 * io.hyperverbs.verbs.Domain#current()}.
 */
@NullMarked
package io.hyperverbs.verbs.spi;

import org.jspecify.annotations.NullMarked;
