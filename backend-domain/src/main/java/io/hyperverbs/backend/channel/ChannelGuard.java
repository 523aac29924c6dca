package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.budget.ChannelBudget;
import io.hyperverbs.backend.budget.LoopShare;
import io.hyperverbs.backend.session.RejectedAct;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Holds one domain to its budget over all connections that it makes, and its event loop to its
 * share of the cores. A domain that goes beyond is not read for a while. The domain's event loop
 * alone.
 */
final class ChannelGuard {
    private final ChannelLimits limits;
    private final ChannelBudget budget;
    private final LoopShare share;
    private final ReadGate gate;
    private final LongSupplier nanoTime;
    private final LongSupplier cpuNanos;
    private final Consumer<RejectedAct> rejected;
    private long countedNanos;

    /**
     * @param nanoTime the clock of budget and pauses
     * @param cpuNanos processor time of the calling thread, which is the loop's
     * @param rejected notified of each act that was not allowed
     */
    ChannelGuard(
            ChannelLimits limits,
            LoopShare share,
            LongSupplier nanoTime,
            LongSupplier cpuNanos,
            Consumer<RejectedAct> rejected) {
        this.limits = limits;
        this.budget = new ChannelBudget(limits.budget());
        this.share = share;
        this.gate = new ReadGate(nanoTime);
        this.nanoTime = nanoTime;
        this.cpuNanos = cpuNanos;
        this.rejected = rejected;
    }

    ChannelBudget budget() {
        return budget;
    }

    ReadGate gate() {
        return gate;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    void reject(RejectedAct act) {
        rejected.accept(act);
    }

    /** What watches one connection, in the order in which its bytes come. */
    ChannelHandler[] watchers() {
        return new ChannelHandler[] {
            new LoopMeter(this),
            new FrameLimit(this),
            new StalledReader(gate, limits.stalledReader(), () -> reject(RejectedAct.STALLED_READER)),
            new GoAwayCount(() -> reject(RejectedAct.TRANSPORT)),
            new ResetCount(this)
        };
    }

    /**
     * The domain did too much that carries nothing: its connection ends, and it pauses.
     *
     * @param watcher closes from where it stands, in front of the transport, which would let its
     *     streams end first
     */
    void flooded(ChannelHandlerContext watcher) {
        reject(RejectedAct.FLOOD);
        pause(watcher.channel().eventLoop());
        var _ = watcher.close();
    }

    /** Nothing of the domain is read for a while; longer each time. */
    void pause(EventLoop loop) {
        gate.pause(loop, budget.pauseNanos(nanoTime.getAsLong()));
    }

    /** The loop has done what there was to read. */
    void worked(EventLoop loop) {
        long now = cpuNanos.getAsLong();
        long pauseNanos = share.pauseNanos(now - countedNanos, nanoTime.getAsLong());
        countedNanos = now;
        if (pauseNanos > 0) {
            gate.pause(loop, pauseNanos);
        }
    }
}
