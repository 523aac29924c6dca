/**
 * The verb log, as strace would write it: {@link io.hyperverbs.frontend.trace.VerbTrace} is the log
 * of a domain, whose words are {@link io.hyperverbs.vmm.io.VerbText}'s, {@link
 * io.hyperverbs.frontend.trace.TraceSwitch} the thread that turns it on and off. Off, it costs the
 * data path one look at a flag. Any thread.
 */
@NullMarked
package io.hyperverbs.frontend.trace;

import org.jspecify.annotations.NullMarked;
