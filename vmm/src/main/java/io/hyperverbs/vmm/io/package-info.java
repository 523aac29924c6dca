/**
 * Split-driver messages: what frontend and backend say to each other (Liu 2006 §4.1, §4.2). Records
 * here, generated types only in {@link io.hyperverbs.vmm.io.ControlCodec} and at the two ends of a
 * channel. {@link io.hyperverbs.vmm.io.ControlPath} is the seam between forwarded and direct
 * control.
 */
@NullMarked
package io.hyperverbs.vmm.io;

import org.jspecify.annotations.NullMarked;
