package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Counts what an attack saw, and objects to what must not be seen. */
final class Facts {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<VerbsStatus, Integer> seen = new EnumMap<>(VerbsStatus.class);

    /** Counts {@code status}, which must be one of {@code allowed}. */
    void count(VerbsStatus status, Set<VerbsStatus> allowed, String what) throws Breach {
        Breach.unless(allowed.contains(status), what + ": " + status);
        seen.merge(status, 1, Integer::sum);
    }

    void count(VerbsStatus status, VerbsStatus expected, String what) throws Breach {
        count(status, Set.of(expected), what);
    }

    int of(VerbsStatus status) {
        return seen.getOrDefault(status, 0);
    }

    /** Such as {@code 12 x LOC_PROT_ERR}. */
    @Override
    public String toString() {
        return seen.entrySet().stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** The next completion, which has to come. */
    static RawCq.Entry next(RawCq cq, String what) throws Breach {
        RawCq.Entry entry = cq.await(PATIENCE);
        if (entry == null) {
            throw new Breach("no completion of " + what);
        }
        return entry;
    }

    /** Waits until a queue pair is in ERR. */
    static void awaitErr(RawQp qp, String what) throws Breach, VerbsException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        for (QpState now = qp.state(); now != QpState.ERR; now = qp.state()) {
            Breach.unless(System.nanoTime() - deadline < 0, what + ": still " + now);
            waiting.idleOrNap();
        }
    }

    /** The attacker's own honest traffic goes on: the HCA is well. */
    static void stillWorks(RawPair pair, String after) throws Breach, VerbsException {
        Breach.unless(pair.works(), "an honest write failed after " + after);
    }
}
