/**
 * Management at API level (Liu 2006 §4.4): what the subnet manager and the communication manager of
 * the HCA do for guests, which never get QP0 or QP1. {@link
 * io.hyperverbs.backend.management.Management} is called by verbs under their session's lock, by
 * the teardown of sessions and by its own timer; one lock guards everything here, and nothing
 * called under it takes a session's lock. {@link io.hyperverbs.backend.cm.ConnectionMoves}
 * is the table of the connection's states.
 */
@NullMarked
package io.hyperverbs.backend.management;

import org.jspecify.annotations.NullMarked;
