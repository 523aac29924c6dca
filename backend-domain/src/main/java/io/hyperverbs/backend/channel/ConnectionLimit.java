package io.hyperverbs.backend.channel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closes accepted connections beyond a number, before anything is read from them: half-open ones
 * count too, so a guest can hold no more descriptors of the backend than this.
 */
@ChannelHandler.Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final int max;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    ConnectionLimit(int max) {
        this.max = max;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        if (open.incrementAndGet() > max) {
            open.decrementAndGet();
            refused.incrementAndGet();
            accepted.unsafe().closeForcibly();
            return;
        }
        accepted.closeFuture().addListener(_ -> open.decrementAndGet());
        context.fireChannelRead(message);
    }

    int refused() {
        return refused.get();
    }
}
