/**
 * How guests reach the backend: gRPC over one Unix socket per guest ({@link
 * io.hyperverbs.backend.channel.DeviceServer}). Generated messages stop here. Handlers run on the
 * event loop thread of their domain ({@link io.hyperverbs.backend.channel.ChannelLoop}) and never
 * wait for a guest.
 */
@NullMarked
package io.hyperverbs.backend.channel;

import org.jspecify.annotations.NullMarked;
