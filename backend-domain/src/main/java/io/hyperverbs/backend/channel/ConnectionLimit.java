package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.session.RejectedAct;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes connections of one domain: closes those beyond a number before anything is read from them
 * (half-open ones count too, so a guest can hold no more descriptors of the backend than this), and
 * takes none for a while when they come too fast. The others get what watches one connection in
 * front of all that understands it. The domain's event loop, but for {@link #closeAll}.
 */
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final ChannelLimits limits;
    private final ChannelGuard guard;
    private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
    private boolean pauses;

    ConnectionLimit(ChannelLimits limits, ChannelGuard guard) {
        this.limits = limits;
        this.guard = guard;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        guard.gate().add(context.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        boolean tooFast = !guard.budget().connect(guard.nanoTime().getAsLong());
        if (tooFast || connections.size() >= limits.connections()) {
            guard.reject(RejectedAct.CONNECTION);
            accepted.unsafe().closeForcibly();
            pauses |= tooFast;
            return;
        }
        connections.add(accepted);
        guard.gate().add(accepted);
        accepted.closeFuture().addListener(_ -> {
            connections.remove(accepted);
            guard.gate().remove(accepted);
        });
        accepted.pipeline().addFirst(guard.watchers());
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        // After all that waited in the backlog, or there would be no end of it.
        if (pauses) {
            pauses = false;
            guard.pause(context.channel().eventLoop());
        }
        guard.worked(context.channel().eventLoop());
    }

    /** Closes all connections; new ones may come. Any thread. */
    void closeAll() {
        for (Channel connection : connections) {
            var _ = connection.close();
        }
    }
}
