package io.hyperverbs.toolstack.isolate.run;

import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.isolate.AttackProgram;
import io.hyperverbs.toolstack.machine.Program;
import io.hyperverbs.vmm.domain.DomainReport;

import java.time.Duration;
import java.util.List;

/** Guests that fill their queues with garbage until they are ended. */
public final class AmidAttack {
    private static final String ATTACK = "queues.garbage";
    private static final Duration LONGER_THAN_IT_LIVES = Duration.ofMinutes(1);

    private AmidAttack() {}

    /** Starts one; it is at work soon. */
    public static DomainReport start(Bystanders bystanders, String name, long seed)
            throws HvException {
        return bystanders.add(
                name,
                new Program(
                        AttackProgram.class.getName(),
                        List.of(),
                        List.of(
                                name,
                                Long.toString(seed),
                                Long.toString(LONGER_THAN_IT_LIVES.toMillis()),
                                ATTACK)));
    }
}
