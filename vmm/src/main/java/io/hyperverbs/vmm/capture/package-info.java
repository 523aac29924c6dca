/**
 * Captures on their way from a device domain to the toolstack: {@link io.hyperverbs.vmm.capture.CaptureRingLayout} is a
 * ring in a memfd of the VMM's, which a device domain fills by {@link io.hyperverbs.vmm.capture.CaptureRingWriter} and
 * the VMM empties by {@link io.hyperverbs.vmm.capture.CaptureRingReader}; {@link
 * io.hyperverbs.vmm.capture.CaptureRecordLayout} is what is in it.
 */
@NullMarked
package io.hyperverbs.vmm.capture;

import org.jspecify.annotations.NullMarked;
