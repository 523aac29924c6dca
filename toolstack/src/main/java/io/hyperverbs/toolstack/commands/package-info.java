/**
 * The commands of {@code hv}, one class each. They run on the main thread; {@link
 * io.hyperverbs.toolstack.commands.HvCommand} is what they share.
 */
@NullMarked
package io.hyperverbs.toolstack.commands;

import org.jspecify.annotations.NullMarked;
