/**
 * Text that guests wrote, made fit for an operator's terminal: {@link
 * io.hyperverbs.vmm.text.VisibleText} for strings, {@link io.hyperverbs.vmm.text.VisibleStream} for
 * bytes that arrive piece by piece. Strings: any thread; a stream: one.
 */
@NullMarked
package io.hyperverbs.vmm.text;

import org.jspecify.annotations.NullMarked;
