package io.hyperverbs.toolstack.isolate.run;

import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.Format;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.isolate.VictimProgram;
import io.hyperverbs.toolstack.machine.CardView;
import io.hyperverbs.toolstack.machine.Failures;
import io.hyperverbs.toolstack.machine.Machine;
import io.hyperverbs.toolstack.machine.MachineLauncher;
import io.hyperverbs.toolstack.machine.Program;
import io.hyperverbs.toolstack.resource.Inventory;
import io.hyperverbs.toolstack.resource.Resources;
import io.hyperverbs.toolstack.topology.Guest;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Two victims with traffic, the device domain and the card: what an attack must leave alone. */
public final class Bystanders {
    private static final List<String> VICTIMS = List.of("alice", "bob");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(50);

    private final Machine machine;

    private Bystanders(Machine machine) {
        this.machine = machine;
    }

    /** Starts the victims and waits until both have traffic. */
    public static Bystanders start(MachineLauncher launcher, Machine machine)
            throws HvException, InterruptedException {
        for (int i = 0; i < VICTIMS.size(); i++) {
            DomainReport _ =
                    launcher.add(
                            machine,
                            Guest.named(VICTIMS.get(i)),
                            Optional.of(
                                    new Program(
                                            VictimProgram.class.getName(),
                                            List.of(),
                                            List.of(VICTIMS.get(1 - i)))));
        }
        Bystanders bystanders = new Bystanders(machine);
        for (String victim : VICTIMS) {
            if (bystanders.beatAfter(victim, -1) < 0) {
                throw new HvException(
                        ExitCode.FAILURE,
                        "victim " + victim + " has no traffic",
                        "hv -v says more");
            }
        }
        return bystanders;
    }

    /** Objects on the card, to compare later. */
    public String resources() throws HvException {
        try {
            MachineClient client = machine.client();
            return Resources.summary(
                            new Inventory(
                                    CardView.read(client),
                                    "hv0",
                                    client.status().domains(),
                                    client::describeSession))
                    .render(Format.JSON);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /**
     * What an attack has done to others, or null if nothing.
     *
     * @param before the objects on the card before it
     */
    public @Nullable String harm(String before) throws HvException, InterruptedException {
        try {
            for (DomainReport domain : machine.client().status().domains()) {
                if (!domain.name().startsWith("mallory") && domain.state().ended()) {
                    return domain.name() + " ended: " + domain.message();
                }
            }
            for (String victim : VICTIMS) {
                Optional<String> wrong =
                        machine.client()
                                .storeRead(path(victim, VictimProgram.WRONG), Duration.ZERO);
                if (wrong.isPresent()) {
                    return victim + " saw " + wrong.get();
                }
                if (beatAfter(victim, beat(victim)) < 0) {
                    return victim + " has no traffic any more";
                }
            }
        } catch (MachineException e) {
            return "the VMM does not answer: " + e.getMessage();
        }
        return leftovers(before);
    }

    private @Nullable String leftovers(String before) throws HvException, InterruptedException {
        String now = resources();
        for (long waited = 0; !now.equals(before); waited += STEP.toMillis()) {
            if (waited > PATIENCE.toMillis()) {
                return "objects on the card stay: " + now.replaceAll("\\s+", " ");
            }
            Thread.sleep(STEP.toMillis());
            now = resources();
        }
        return null;
    }

    /** The first beat of a victim above {@code beat}, or -1 if none comes. */
    private long beatAfter(String victim, long beat) throws HvException, InterruptedException {
        for (long waited = 0; waited < PATIENCE.toMillis(); waited += STEP.toMillis()) {
            long now = beat(victim);
            if (now > beat) {
                return now;
            }
            Thread.sleep(STEP.toMillis());
        }
        return -1;
    }

    private long beat(String victim) throws HvException {
        try {
            return machine.client()
                    .storeRead(path(victim, VictimProgram.BEAT), Duration.ZERO)
                    .map(Long::parseLong)
                    .orElse(-1L);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private static String path(String domain, String key) {
        return "domain/" + domain + "/" + key;
    }
}
