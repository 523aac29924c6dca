package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.LoadProgram;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.DomainAnswers;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two guests of a machine that run {@link LoadProgram}, through the store. */
public final class StoreGuests implements Guests {
    /** Names of the two. */
    public static final String VICTIM = "victim";

    public static final String ATTACKER = "attacker";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    // Attacks begin before the victim is told to, and have to go on until it has ended.
    private static final int HEAD_START_MILLIS = 40;
    private static final int ATTEMPTS = 4;

    private final MachineClient client;
    private final DomainAnswers answers;
    private final Map<String, Integer> numbers = new HashMap<>();

    public StoreGuests(MachineClient client) {
        this.client = client;
        this.answers = new DomainAnswers(client, PATIENCE);
    }

    /** The machine they run in. */
    public static Topology topology(String name) {
        return new Topology(
                name, HcaSpec.standard(), List.of(guest(VICTIM), guest(ATTACKER)), List.of(), "hv bench fairness");
    }

    /** One of the two. Its quotas, which are not what is tested here, leave room for all kinds. */
    public static Guest guest(String name) {
        return Guest.named(name)
                .withMemory(256L << 20)
                .withQuota(Map.of("qp", 1500L, "cq", 256L, "mr", 2048L, "pd", 64L))
                .running(LoadProgram.class.getName());
    }

    /** Waits until both run. */
    public void awaitReady() throws HvException {
        answers.await(VICTIM, "fairness/ready");
        answers.await(ATTACKER, "fairness/ready");
    }

    @Override
    public LoadPace alone(Victim victim, int millis) throws HvException {
        command(VICTIM, "victim " + victim.name() + " " + millis);
        return pace(answer(VICTIM));
    }

    @Override
    public Beside beside(Attacker attacker, Victim victim, int millis) throws HvException {
        int lasts = millis + 2 * HEAD_START_MILLIS;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int number = command(ATTACKER, "attack " + attacker.name() + " " + victim.name() + " " + lasts);
            check(ATTACKER, answers.await(ATTACKER, "fairness/" + number + "/armed"));
            command(VICTIM, "victim " + victim.name() + " " + millis);
            String[] measured = answer(VICTIM);
            String[] attack = answer(ATTACKER);
            long begin = Long.parseLong(attack[2]);
            long end = Long.parseLong(attack[3]);
            if (begin - Long.parseLong(measured[2]) <= 0 && end - Long.parseLong(measured[3]) >= 0) {
                return new Beside(pace(measured), Long.parseLong(attack[1]) * 1e9 / Math.max(1, end - begin));
            }
            lasts += lasts;
        }
        throw new HvException(
                ExitCode.TIMEOUT,
                "the attack " + attacker.word() + " always ended before its victim",
                "the computer may be too busy");
    }

    private static LoadPace pace(String[] words) {
        double seconds = (Long.parseLong(words[3]) - Long.parseLong(words[2])) / 1e9;
        return new LoadPace(Long.parseLong(words[1]) / seconds, Long.parseLong(words[4]), Long.parseLong(words[5]));
    }

    private int command(String domain, String line) throws HvException {
        int number = numbers.merge(domain, 1, Integer::sum);
        String folder = "domain/tool/fairness/" + domain + "/";
        try {
            client.storeWrite(folder + number, line);
            if (number > 1) {
                client.storeRemove(folder + (number - 1));
            }
            return number;
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private String[] answer(String domain) throws HvException {
        String answer = answers.await(domain, "fairness/" + numbers.getOrDefault(domain, 0));
        check(domain, answer);
        return answer.split(" ", -1);
    }

    private static void check(String domain, String answer) throws HvException {
        if (answer.startsWith("failed")) {
            throw new HvException(ExitCode.FAILURE, "domain " + domain + ": " + answer, "hv -v shows more");
        }
    }
}
