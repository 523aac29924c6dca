package io.hyperverbs.upper.dsm.link;

import io.hyperverbs.upper.dsm.protocol.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message, or the end of a read.
 *
 * @param message null for the end of a read
 * @param token of the read
 */
record NodeArrival(int from, @Nullable ControlMessage message, int token) {}
