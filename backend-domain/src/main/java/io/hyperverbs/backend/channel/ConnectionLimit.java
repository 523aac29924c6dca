package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.session.RejectedAct;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Closes accepted connections beyond a number, before anything is read from them: half-open ones
 * count too, so a guest can hold no more descriptors of the backend than this. The others get what
 * watches one connection in front of all that understands it.
 */
@ChannelHandler.Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final ChannelLimits limits;
    private final Consumer<RejectedAct> rejected;
    private final AtomicInteger open = new AtomicInteger();
    private final Set<Channel> connections = ConcurrentHashMap.newKeySet();

    /**
     * @param rejected told of each act that was not allowed
     */
    ConnectionLimit(ChannelLimits limits, Consumer<RejectedAct> rejected) {
        this.limits = limits;
        this.rejected = rejected;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        if (open.incrementAndGet() > limits.connections()) {
            open.decrementAndGet();
            rejected.accept(RejectedAct.CONNECTION);
            accepted.unsafe().closeForcibly();
            return;
        }
        connections.add(accepted);
        accepted.closeFuture()
                .addListener(
                        _ -> {
                            connections.remove(accepted);
                            open.decrementAndGet();
                        });
        accepted.pipeline()
                .addFirst(
                        new FrameLimit(
                                limits, System::nanoTime, () -> rejected.accept(RejectedAct.FLOOD)),
                        new StalledReader(
                                limits.stalledReader(),
                                () -> rejected.accept(RejectedAct.STALLED_READER)),
                        new GoAwayCount(() -> rejected.accept(RejectedAct.TRANSPORT)));
        context.fireChannelRead(message);
    }

    /** Closes all connections; new ones may come. Any thread. */
    void closeAll() {
        for (Channel connection : connections) {
            var _ = connection.close();
        }
    }
}
