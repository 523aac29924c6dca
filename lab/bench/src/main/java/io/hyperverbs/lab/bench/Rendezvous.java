package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Lets a server find the clients that call it, though it does not know their names: the toolstack
 * lists the domains under {@code domain/tool/domains}, and a client writes {@code
 * pingpong/<server>} under its own name.
 */
final class Rendezvous {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_AGAIN_MILLIS = 500;

    private final Domain domain;
    private final Store store;
    private final Set<String> watched = new HashSet<>();
    private final BlockingQueue<String> callers = new LinkedBlockingQueue<>();

    Rendezvous(Domain domain) {
        this.domain = domain;
        this.store = domain.store();
    }

    /** The key under which a client offers its end to {@code server}. */
    static String key(String server) {
        return "pingpong/" + server;
    }

    /** Waits for the next client; each is answered once. */
    String nextCaller() throws VerbsException, InterruptedException {
        while (true) {
            for (String name : store.read("tool", "domains").orElse("").split(" ")) {
                if (!name.isEmpty() && !name.equals(domain.name()) && watched.add(name)) {
                    Thread watcher = new Thread(() -> watch(name), "waits-for-" + name);
                    watcher.setDaemon(true);
                    watcher.start();
                }
            }
            String caller = callers.poll(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            if (caller != null) {
                return caller;
            }
        }
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
