/**
 * Management at API level (Liu 2006 §4.4): {@link io.hyperverbs.frontend.management.DriverSubnet}
 * and {@link io.hyperverbs.frontend.management.DriverConnectionManager} forward to the backend;
 * {@link io.hyperverbs.frontend.management.DriverCmChannel} takes events and moves queue pairs, in
 * the thread that waits for them. Any thread.
 */
@NullMarked
package io.hyperverbs.frontend.management;

import org.jspecify.annotations.NullMarked;
