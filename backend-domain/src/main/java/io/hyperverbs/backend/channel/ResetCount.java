package io.hyperverbs.backend.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Counts the streams that the transport resets: RST_STREAM frames (RFC 9113 6.4) that a guest
 * provokes cost as much as those that it sends. Channel thread.
 */
final class ResetCount extends ChannelOutboundHandlerAdapter {
    private static final int TYPE_OFFSET = 3;
    private static final int RST_STREAM = 3;
    private static final int LENGTH_BYTES = 13;
    private static final int PAYLOAD_BYTES = 4;

    private final ChannelGuard guard;
    private boolean closing;

    ResetCount(ChannelGuard guard) {
        this.guard = guard;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean exceeded = !closing
                && message instanceof ByteBuf bytes
                && isReset(bytes)
                && !guard.budget().reset(guard.nanoTime().getAsLong());
        var _ = context.write(message, promise);
        if (exceeded) {
            closing = true;
            guard.flooded(context);
        }
    }

    // The transport writes such a frame in one piece. A message begins with a zero and its length,
    // so one that reads as a frame's head would be longer than any that there is.
    private static boolean isReset(ByteBuf bytes) {
        int start = bytes.readerIndex();
        return bytes.readableBytes() == LENGTH_BYTES
                && bytes.getUnsignedMedium(start) == PAYLOAD_BYTES
                && bytes.getByte(start + TYPE_OFFSET) == RST_STREAM;
    }
}
