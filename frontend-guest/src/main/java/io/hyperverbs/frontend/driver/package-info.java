/**
 * The verbs objects: device, context, PD, region, completion queue, queue pair. Creating goes
 * through the control path in two stages for queues (Liu 2006 §4.3); polling runs on the caller's
 * thread against ring memory that the HCA (bypass) or the channel's thread (forwarded) writes.
 */
@NullMarked
package io.hyperverbs.frontend.driver;

import org.jspecify.annotations.NullMarked;
