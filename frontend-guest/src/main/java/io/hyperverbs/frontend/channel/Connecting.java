package io.hyperverbs.frontend.channel;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits until a gRPC channel, which connects when it is used, has connected. */
final class Connecting {
    private Connecting() {}

    /**
     * @param deadlineNanos by {@link System#nanoTime}
     */
    static void await(ManagedChannel channel, long deadlineNanos) throws IOException {
        ConnectivityState state = channel.getState(true);
        while (state != ConnectivityState.READY) {
            CountDownLatch changed = new CountDownLatch(1);
            channel.notifyWhenStateChanged(state, changed::countDown);
            try {
                if (!changed.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw new IOException("device channel is " + state);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            state = channel.getState(true);
        }
    }
}
