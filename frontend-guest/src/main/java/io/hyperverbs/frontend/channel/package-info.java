/**
 * The edge of the driver: gRPC over Unix domain sockets, the only package that knows the generated
 * messages. {@link io.hyperverbs.frontend.channel.DeviceChannelClient} is the session: privileged
 * verbs and data lanes over one connection, events over another. One event-loop thread carries
 * both.
 */
@NullMarked
package io.hyperverbs.frontend.channel;

import org.jspecify.annotations.NullMarked;
