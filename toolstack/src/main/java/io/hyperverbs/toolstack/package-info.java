/**
 * The {@code hv} command. {@link io.hyperverbs.toolstack.Hv} is
 * the main class; each command lies in {@code commands}.
 */
@NullMarked
package io.hyperverbs.toolstack;

import org.jspecify.annotations.NullMarked;
