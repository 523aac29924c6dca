package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.catalogue.AttackProgram;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.vmm.domain.DomainReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs of hostile guests. */
public final class Attackers {
    private static final String GARBAGE = "queues.garbage";
    private static final Duration LONGER_THAN_IT_LIVES = Duration.ofMinutes(1);

    private Attackers() {}

    /**
     * Makes attacks, one after the other.
     *
     * @param guest its own name
     * @param seed of its dice
     * @param duration of attacks that have no end
     * @param brief as in {@link Program}
     */
    public static Program program(String guest, long seed, Duration duration, boolean brief, List<String> attacks) {
        List<String> args = new ArrayList<>();
        args.add(guest);
        args.add(Long.toString(seed));
        args.add(Long.toString(duration.toMillis()));
        args.addAll(attacks);
        return InstalledPrograms.of(AttackProgram.class, args).withBrief(brief);
    }

    /** Starts one that fills its queues with garbage until it is ended; it is at work soon. */
    public static DomainReport startEndless(AttackedMachine attacked, String guest, long seed) throws HvException {
        return attacked.add(guest, program(guest, seed, LONGER_THAN_IT_LIVES, false, List.of(GARBAGE)));
    }
}
