package io.hyperverbs.backend.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/**
 * Sees why the transport ends a connection: a GOAWAY frame (RFC 9113 6.8) with an error in it is
 * the answer to what no driver sends. Channel thread.
 */
final class GoAwayCount extends ChannelOutboundHandlerAdapter {
    private static final int TYPE_OFFSET = 3;
    private static final int GOAWAY = 7;
    private static final int ERROR_OFFSET = 13;
    private static final int LENGTH_BYTES = ERROR_OFFSET + Integer.BYTES;

    private final Runnable rejected;
    private boolean counted;

    /**
     * @param rejected called once
     */
    GoAwayCount(Runnable rejected) {
        this.rejected = rejected;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!counted && message instanceof ByteBuf bytes && isError(bytes)) {
            counted = true;
            rejected.run();
        }
        var _ = context.write(message, promise);
    }

    // The transport writes the fixed part of such a frame in one piece, and data frames with their
    // head apart: what looks like one is one.
    private static boolean isError(ByteBuf bytes) {
        int start = bytes.readerIndex();
        return bytes.readableBytes() >= LENGTH_BYTES
                && bytes.getByte(start + TYPE_OFFSET) == GOAWAY
                && bytes.getInt(start + TYPE_OFFSET + 2) == 0
                && bytes.getInt(start + ERROR_OFFSET) != 0;
    }
}
