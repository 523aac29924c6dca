/**
 * Captures that Wireshark reads: {@link io.hyperverbs.launcher.capture.PcapngWriter} writes the
 * file, {@link io.hyperverbs.launcher.capture.RocePacketRenderer} makes IPv4 packets of what crosses
 * the wire, {@link io.hyperverbs.launcher.capture.ControlVerbRenderer} makes lines of text of
 * control verbs. A writer is for one thread; the renderers are stateless.
 */
@NullMarked
package io.hyperverbs.launcher.capture;

import org.jspecify.annotations.NullMarked;
