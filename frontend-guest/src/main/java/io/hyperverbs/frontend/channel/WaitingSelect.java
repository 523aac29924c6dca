package io.hyperverbs.frontend.channel;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.BooleanSupplier;

/**
 * The waiting policy of this project for a netty event loop that carries data: after work it looks
 * again a few times, yields for a while, and only then sleeps in epoll. Without it each message of
 * the forwarded data path would pay for waking a sleeping thread. The answer to a control verb
 * takes longer than that while: a loop that carries nothing else sleeps at once. Run by its loop
 * alone.
 */
final class WaitingSelect implements SelectStrategy {
    private final WaitingPolicy waiting = WaitingPolicy.wary();
    private final BooleanSupplier carriesData;

    WaitingSelect(BooleanSupplier carriesData) {
        this.carriesData = carriesData;
    }

    @Override
    public int calculateStrategy(IntSupplier look, boolean hasTasks) throws Exception {
        int ready = look.get();
        if (ready > 0 || hasTasks) {
            waiting.reset();
            return ready;
        }
        if (!carriesData.getAsBoolean() || waiting.idle()) {
            // Whatever ends the sleep is work, and more may follow at once.
            waiting.reset();
            return SELECT;
        }
        return ready;
    }
}
