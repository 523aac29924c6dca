package io.hyperverbs.backend.channel;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A guest that does not read is not read either: else answers to what it goes on to send would pile
 * up here without bound. If it reads nothing for a while, its connection is closed. Channel thread.
 */
final class StalledReader extends ChannelInboundHandlerAdapter {
    private final ReadGate gate;
    private final Duration patience;
    private final Runnable exceeded;
    private @Nullable ScheduledFuture<?> deadline;

    /**
     * @param exceeded called before the connection is closed
     */
    StalledReader(ReadGate gate, Duration patience, Runnable exceeded) {
        this.gate = gate;
        this.patience = patience;
        this.exceeded = exceeded;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        boolean reads = context.channel().isWritable();
        gate.stall(context.channel(), !reads);
        ScheduledFuture<?> waiting = deadline;
        if (waiting != null) {
            var _ = waiting.cancel(false);
        }
        deadline = reads
                ? null
                : context.executor()
                        .schedule(
                                () -> {
                                    exceeded.run();
                                    var _ = context.close();
                                },
                                patience.toMillis(),
                                TimeUnit.MILLISECONDS);
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ScheduledFuture<?> waiting = deadline;
        if (waiting != null) {
            var _ = waiting.cancel(false);
        }
        context.fireChannelInactive();
    }
}
