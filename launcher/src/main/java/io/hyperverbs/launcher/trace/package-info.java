/**
 * Verb logs of guests, read. A guest writes its log itself and may write anything: {@link
 * io.hyperverbs.launcher.trace.VerbLines} cuts it into lines of bounded length, {@link
 * io.hyperverbs.launcher.trace.TracedVerb} understands a line or does not, {@link
 * io.hyperverbs.launcher.trace.TraceSummary} adds them up. Instances are for one thread.
 */
@NullMarked
package io.hyperverbs.launcher.trace;

import org.jspecify.annotations.NullMarked;
