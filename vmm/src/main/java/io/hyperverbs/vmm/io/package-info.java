/**
 * Split-driver messages: what frontend and backend say to each other (Liu 2006 §4.1, §4.2). Records here; generated types
 * only at the two ends of the forwarded data path and of events. {@link io.hyperverbs.vmm.io.PrivilegedVerb} describes
 * each verb once: {@link io.hyperverbs.vmm.io.ControlCodec} and {@link io.hyperverbs.vmm.io.VerbText} walk its rows.
 * {@link io.hyperverbs.vmm.io.ControlPath} is the seam between forwarded and direct control.
 */
@NullMarked
package io.hyperverbs.vmm.io;

import org.jspecify.annotations.NullMarked;
