package io.hyperverbs.toolstack.isolate;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.verbs.Domain;

import java.time.Duration;
import java.util.List;

/**
 * Guest program: one attack.
 *
 * <pre>
 * AttackProgram CASE SEED DURATION-MILLIS
 * </pre>
 *
 * Prints one line, {@code CONTAINED what was seen}, {@code BREACH what was seen} or {@code FAILED
 * why} if the attack could not be made.
 */
public final class AttackProgram {
    /** First word when all was as expected. */
    public static final String CONTAINED = "CONTAINED";

    /** First word when something was seen that must not be. */
    public static final String BREACH = "BREACH";

    /** First word when the attack could not be made. */
    public static final String FAILED = "FAILED";

    private AttackProgram() {}

    /** Runs in a guest. */
    public static void main(String[] args) throws Exception {
        IsolationCase attack = Isolation.cases(List.of(args[0])).getFirst();
        System.out.println(verdict(attack, args).replace('\n', ' '));
        System.out.flush();
    }

    private static String verdict(IsolationCase attack, String[] args) {
        try {
            Mallory mallory =
                    new Mallory(
                            (DriverDomain) Domain.current(),
                            Long.parseLong(args[1]),
                            Duration.ofMillis(Long.parseLong(args[2])));
            return CONTAINED + " " + attack.attack().run(mallory);
        } catch (Breach breach) {
            return BREACH + " " + breach.getMessage();
        } catch (Exception e) {
            return FAILED + " " + e;
        }
    }
}
