/**
 * The process of the device domain: the backend driver with its HCA, and the native programs that
 * run beside it (docs/adr/0003). {@link io.hyperverbs.device.DeviceDomainMain} is what
 * the VMM starts.
 */
@NullMarked
package io.hyperverbs.device;

import org.jspecify.annotations.NullMarked;
