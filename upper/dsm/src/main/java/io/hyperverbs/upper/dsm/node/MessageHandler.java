package io.hyperverbs.upper.dsm.node;

import io.hyperverbs.upper.dsm.network.NodeNetwork;
import io.hyperverbs.upper.dsm.options.HandlingContext;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** The threads that handle messages of other nodes, as {@link HandlingContext} says, until {@link #stop}. */
final class MessageHandler {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final DsmNode node;
    private final NodeNetwork network;
    private final HandlingContext context;
    private final List<Thread> threads = new ArrayList<>();

    /** PROCESS: the thread that takes events releases {@code wanted}, the one that handles releases {@code handled}. */
    private final Semaphore wanted = new Semaphore(0);

    private final Semaphore handled = new Semaphore(0);
    private volatile boolean stopped;

    private MessageHandler(DsmNode node, NodeNetwork network, HandlingContext context) {
        this.node = node;
        this.network = network;
        this.context = context;
    }

    static MessageHandler start(DsmNode node, NodeNetwork network, HandlingContext context) {
        MessageHandler handler = new MessageHandler(node, network, context);
        if (network.nodes() == 1) {
            return handler;
        }
        handler.add(context == HandlingContext.POLLING ? handler::poll : handler::takeEvents, "dsm-handler");
        if (context == HandlingContext.PROCESS) {
            handler.add(handler::handleWhenWoken, "dsm-process");
        }
        return handler;
    }

    private void add(Runnable body, String name) {
        threads.add(Thread.ofPlatform().daemon().name(name).start(body));
    }

    private void poll() {
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        while (!stopped) {
            if (node.handle()) {
                waiting.reset();
            } else {
                waiting.idleOrNap();
            }
        }
    }

    private void takeEvents() {
        while (!stopped) {
            node.alone(network::arm);
            // What came before the queue was armed has no event.
            handle();
            if (!stopped && !node.sleep(LOOK_AGAIN)) {
                return;
            }
        }
    }

    private void handle() {
        switch (context) {
            case PROCESS -> {
                wanted.release();
                handled.acquireUninterruptibly();
            }
            case TASK_QUEUE -> node.handleAfterwards();
            default -> node.handleAll();
        }
    }

    private void handleWhenWoken() {
        while (true) {
            wanted.acquireUninterruptibly();
            if (stopped) {
                handled.release();
                return;
            }
            node.handleAll();
            handled.release();
        }
    }

    /** Ends the threads and waits for them. */
    void stop() {
        stopped = true;
        network.interrupt();
        wanted.release();
        ThreadEnds.await(threads);
    }
}
