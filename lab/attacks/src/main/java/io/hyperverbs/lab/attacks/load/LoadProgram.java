package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Guest program of {@code hv bench fairness}: waits in the store for commands, numbered from 1:
 * {@code domain/tool/fairness/<own name>/<n>} is
 *
 * <ul>
 *   <li>{@code victim KIND MILLIS}, answered by {@code ok <operations> <begin> <end> <p50> <p99>},
 *       all but the first in nanoseconds of the clock that all processes have;
 *   <li>{@code attack KIND VICTIM MILLIS}, which writes {@code fairness/<n>/armed} when it is at
 *       full speed, and is answered by {@code ok <steps> <begin> <end>}.
 * </ul>
 *
 * The answer is {@code fairness/<n>} under its own name, or {@code failed <why>}.
 */
public final class LoadProgram {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST_SAMPLES = 1 << 20;

    private final Domain domain;
    private final Home home;
    private final Store store;
    private final Map<String, Load> loads = new HashMap<>();
    private final long[] nanos = new long[MOST_SAMPLES];

    private LoadProgram(Domain domain) throws VerbsException {
        this.domain = domain;
        this.home = Home.of(domain);
        this.store = domain.store();
    }

    /** Runs in a guest, until it is ended. */
    public static void main(String[] args) throws VerbsException {
        new LoadProgram(Domain.current()).run();
    }

    private void run() throws VerbsException {
        store.write("fairness/ready", "1");
        for (int n = 1; ; n++) {
            String[] words = await(Integer.toString(n)).split(" ", -1);
            store.remove("fairness/" + (n - 1) + "/armed");
            store.remove("fairness/" + (n - 1));
            String answer;
            try {
                answer = words[0].equals("victim") ? measure(words) : attack(n, words);
            } catch (VerbsException e) {
                answer = "failed " + e.getMessage();
                // Nobody waits for an attack that will not come.
                store.write("fairness/" + n + "/armed", answer);
            }
            store.write("fairness/" + n, answer);
        }
    }

    private String await(String key) throws VerbsException {
        while (true) {
            try {
                return store.await("tool", "fairness/" + domain.name() + "/" + key, PATIENCE);
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT) {
                    throw e;
                }
            }
        }
    }

    private Load victim(Victim kind) throws VerbsException {
        Load load = loads.get(kind.word());
        if (load == null) {
            load = kind.open(home);
            loads.put(kind.word(), load);
        }
        return load;
    }

    private String measure(String[] words) throws VerbsException {
        Load load = victim(Victim.valueOf(words[1]));
        long millis = Long.parseLong(words[2]);
        long beginNanos = System.nanoTime();
        long endNanos = beginNanos + millis * 1_000_000;
        long before = beginNanos;
        int count = 0;
        while (before - endNanos < 0) {
            load.step();
            long after = System.nanoTime();
            nanos[count % MOST_SAMPLES] = after - before;
            count++;
            before = after;
        }
        load.settle();
        int samples = Math.min(count, MOST_SAMPLES);
        Arrays.sort(nanos, 0, samples);
        return "ok "
                + count
                + " "
                + beginNanos
                + " "
                + before
                + " "
                + nanos[samples / 2]
                + " "
                + nanos[(int) (samples * 99L / 100)];
    }

    private String attack(int n, String[] words) throws VerbsException {
        Attacker kind = Attacker.valueOf(words[1]);
        Victim victim = Victim.valueOf(words[2]);
        String name = kind == Attacker.EQUAL ? victim.word() : "attack " + kind.word();
        Load load = loads.get(name);
        if (load == null) {
            load = kind.open(home, victim);
            loads.put(name, load);
        }
        long lastsNanos = Long.parseLong(words[3]) * 1_000_000;
        // The first step makes what it needs, and is not at full speed.
        load.step();
        long beginNanos = System.nanoTime();
        long now = beginNanos;
        long steps = 0;
        boolean armed = false;
        while (now - beginNanos < lastsNanos) {
            load.step();
            steps++;
            now = System.nanoTime();
            if (!armed) {
                armed = true;
                store.write("fairness/" + n + "/armed", "1");
            }
        }
        load.settle();
        return "ok " + steps + " " + beginNanos + " " + now;
    }
}
