package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Whether an attacker's own session outlives what it did to its channel. */
final class OwnSession {
    private static final Duration RECONNECTING = Duration.ofSeconds(20);
    private static final long BETWEEN_NANOS = 50_000_000;

    private OwnSession() {}

    /**
     * Waits until a verb succeeds: the driver connects again, while what was closed a moment ago may still take its
     * place, or its domain may pause.
     *
     * @throws Breach if none does for 20 s
     */
    static void expectServed(AttackContext attack, String after) throws Breach {
        ControlRequest query = new ControlRequest.QueryDevice(attack.device().context());
        long deadline = System.nanoTime() + RECONNECTING.toNanos();
        VerbsStatus status = attack.device().status(query);
        while (status != VerbsStatus.SUCCESS) {
            Breach.unless(System.nanoTime() - deadline < 0, "its own session after " + after + ": " + status);
            LockSupport.parkNanos(BETWEEN_NANOS);
            status = attack.device().status(query);
        }
    }
}
