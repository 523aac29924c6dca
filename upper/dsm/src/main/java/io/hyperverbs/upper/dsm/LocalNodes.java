package io.hyperverbs.upper.dsm;

import io.hyperverbs.upper.dsm.error.DsmException;
import io.hyperverbs.upper.dsm.network.ThreadNetwork;
import io.hyperverbs.upper.dsm.node.ThreadEnds;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** All nodes of a job as threads of this program, without verbs: to try and to debug a program of nodes. */
public final class LocalNodes {
    private LocalNodes() {}

    /** What each node does. */
    @FunctionalInterface
    public interface NodeBody {
        void run(Dsm dsm) throws Exception;
    }

    /** As {@link #run(int, DsmOptions, NodeBody)}, as most programs want it. */
    public static void run(int nodes, NodeBody body) {
        run(nodes, DsmOptions.standard(), body);
    }

    /**
     * Runs {@code body} once for each node, each in a thread, and waits for all.
     *
     * @throws CompletionException with what the first that failed has thrown; the others end then
     */
    public static void run(int nodes, DsmOptions options, NodeBody body) {
        List<ThreadNetwork> networks = ThreadNetwork.connect(nodes, options.memoryBytes());
        AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (ThreadNetwork network : networks) {
            threads.add(Thread.ofPlatform().name("node-" + network.node()).start(() -> {
                try (Dsm dsm = Dsm.of(network, options)) {
                    runOne(dsm, network, networks, body, first);
                } catch (DsmException e) {
                    // Of close, which waits for the others in vain once one has failed.
                    first.compareAndSet(null, e);
                }
            }));
        }
        ThreadEnds.await(threads);
        Throwable failure = first.get();
        if (failure != null) {
            throw new CompletionException(failure);
        }
    }

    private static void runOne(
            Dsm dsm,
            ThreadNetwork network,
            List<ThreadNetwork> networks,
            NodeBody body,
            AtomicReference<@Nullable Throwable> first) {
        try {
            body.run(dsm);
        } catch (Throwable e) {
            first.compareAndSet(null, e);
            networks.forEach(one -> one.fail(network.name(network.node()) + " has ended: " + e));
        }
    }
}
