package io.hyperverbs.lab.attacks.catalogue;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.AttackReport;
import io.hyperverbs.lab.attacks.AttackReport.Kind;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.SocketRefused;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.time.Duration;
import java.util.List;

/**
 * Guest program: attacks, one after the other, as long as its guest serves.
 *
 * <pre>
 * AttackProgram NAME SEED DURATION-MILLIS CASE...
 * </pre>
 *
 * After each it gives back what it has and writes a {@link AttackReport} into the store, and goes on when
 * the judge has looked at all others.
 */
public final class AttackProgram {
    private static final Duration JUDGEMENT = Duration.ofMinutes(5);

    private final DriverDomain domain;
    private final long seed;
    private final Duration duration;

    private AttackProgram(DriverDomain domain, long seed, Duration duration) {
        this.domain = domain;
        this.seed = seed;
        this.duration = duration;
    }

    /** Runs in a guest. */
    public static void main(String[] args) throws Exception {
        DriverDomain domain = (DriverDomain) Domain.current();
        AttackProgram program =
                new AttackProgram(domain, Long.parseLong(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
        List<String> names = List.of(args).subList(3, args.length);
        for (int i = 0; i < names.size(); i++) {
            AttackReport report =
                    program.attack(Isolation.cases(List.of(names.get(i))).getFirst());
            System.out.println(names.get(i) + ": " + report.format());
            domain.store().write(AttackReport.key(i), report.format());
            if (report.spent()) {
                return;
            }
            // After the last one too: what was counted of a session goes with it.
            String _ = domain.store().await("tool", AttackReport.goOn(args[0], i), JUDGEMENT);
        }
    }

    private AttackReport attack(IsolationCase attack) {
        Kind kind;
        String seen;
        try (AttackContext attackContext = new AttackContext(domain, attack.name(), seed, duration)) {
            seen = attack.attack().run(attackContext);
            kind = Kind.CONTAINED;
        } catch (Breach breach) {
            seen = String.valueOf(breach.getMessage());
            kind = Kind.BREACH;
        } catch (SocketRefused refused) {
            seen = String.valueOf(refused.getMessage());
            kind = Kind.REFUSED;
        } catch (Exception e) {
            seen = e.toString();
            kind = Kind.FAILED;
        }
        return new AttackReport(kind, !serves(), seen);
    }

    /** Whether a device can still be opened and closed. */
    private boolean serves() {
        try (AttackContext probe = new AttackContext(domain, "probe", seed, duration)) {
            return probe.device().context() != 0;
        } catch (VerbsException e) {
            return false;
        }
    }
}
