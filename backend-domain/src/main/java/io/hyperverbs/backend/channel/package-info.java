/**
 * How domains reach the backend: gRPC over one Unix socket per guest ({@link
 * io.hyperverbs.backend.channel.DeviceServer}), or a plain call for native domains ({@link
 * io.hyperverbs.backend.channel.DirectControlPath}). Generated messages stop here. Handlers run on
 * the shared event loop threads and never wait for a guest.
 */
@NullMarked
package io.hyperverbs.backend.channel;

import org.jspecify.annotations.NullMarked;
