package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Lets a server find the clients that call it, though it does not know their names: the toolstack
 * lists the domains under {@code domain/tool/domains}, and a client writes {@code
 * pingpong/<server>} under its own name.
 */
final class Rendezvous {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_AGAIN_NANOS = 500_000_000;

    private final Domain domain;
    private final Store store;
    private final Set<String> watched = new HashSet<>();
    private final Queue<String> callers = new ConcurrentLinkedQueue<>();

    private long lookAgainNanos = System.nanoTime();

    Rendezvous(Domain domain) {
        this.domain = domain;
        this.store = domain.store();
    }

    /** The key under which a client offers its end to {@code server}. */
    static String key(String server) {
        return "pingpong/" + server;
    }

    /** Whether the domain is one of this machine, which the store reaches. */
    boolean isHere(String name) throws VerbsException {
        return domains().contains(name);
    }

    private List<String> domains() throws VerbsException {
        return List.of(store.read("tool", "domains").orElse("").split(" "));
    }

    /** The next client that has called, without waiting; each is answered once. */
    Optional<String> nextCaller() throws VerbsException {
        if (System.nanoTime() - lookAgainNanos > 0) {
            lookAgainNanos = System.nanoTime() + LOOK_AGAIN_NANOS;
            for (String name : domains()) {
                if (!name.isEmpty() && !name.equals(domain.name()) && watched.add(name)) {
                    Thread watcher = new Thread(() -> watch(name), "waits-for-" + name);
                    watcher.setDaemon(true);
                    watcher.start();
                }
            }
        }
        return Optional.ofNullable(callers.poll());
    }

    private void watch(String name) {
        while (true) {
            try {
                store.await(name, key(domain.name()), PATIENCE);
                callers.add(name);
                return;
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT) {
                    return;
                }
            }
        }
    }
}
