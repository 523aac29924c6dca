/**
 * What a capture sees of the HCA: {@link io.hyperverbs.hca.capture.CapturePoint} hands packets to a {@link
 * io.hyperverbs.hca.capture.PacketTap} of the driver's while there is one. Engine thread only.
 */
@NullMarked
package io.hyperverbs.hca.capture;

import org.jspecify.annotations.NullMarked;
