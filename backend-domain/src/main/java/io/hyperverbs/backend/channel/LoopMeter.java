package io.hyperverbs.backend.channel;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Has the time counted that the loop takes for what it reads of a connection. Channel thread. */
final class LoopMeter extends ChannelInboundHandlerAdapter {
    private final ChannelGuard guard;

    LoopMeter(ChannelGuard guard) {
        this.guard = guard;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        // First what is left to do: answers are written when all is read.
        context.fireChannelReadComplete();
        guard.worked(context.channel().eventLoop());
    }
}
