package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.StopwatchProgram;
import io.hyperverbs.lab.attacks.VerbPace;
import io.hyperverbs.lab.attacks.VerbPace.Act;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A guest that says how long its verbs take, whenever the judge asks. */
final class Stopwatch {
    private static final String GUEST = "dave";
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What is not faster by a tenth so many times in a row is warm. */
    private static final int STEADY = 5;

    private static final double FASTER = 0.9;

    /** A few seconds. */
    private static final int MOST_WARMING = 60;

    private final MachineClient client;
    private int asked;

    private Stopwatch(MachineClient client) {
        this.client = client;
    }

    /** Starts its guest and waits until it can be asked. */
    static Stopwatch start(AttackedMachine attacked, MachineClient client) throws HvException {
        var _ = attacked.add(GUEST, InstalledPrograms.of(StopwatchProgram.class, List.of()));
        Stopwatch stopwatch = new Stopwatch(client);
        if (stopwatch.await(StopwatchProgram.READY).isEmpty()) {
            throw new HvException(
                    ExitCode.BREACH, GUEST + " does not answer: its verbs fail", "hv logs " + GUEST + " says more");
        }
        return stopwatch;
    }

    /** Measures until it gets no faster: the compilers of a young machine work for seconds. */
    void warm() throws HvException {
        Map<Act, Long> best = new EnumMap<>(Act.class);
        int still = 0;
        for (int i = 0; i < MOST_WARMING && still < STEADY; i++) {
            Optional<VerbPace> measured = measure();
            if (measured.isEmpty()) {
                return;
            }
            VerbPace pace = measured.get();
            still++;
            for (Act act : Act.values()) {
                long median = pace.of(act).medianNanos();
                if (median < FASTER * best.getOrDefault(act, Long.MAX_VALUE)) {
                    best.put(act, median);
                    still = 0;
                }
            }
        }
    }

    /** Measures now. Empty if the guest's verbs take longer than {@link #PATIENCE}, or fail. */
    Optional<VerbPace> measure() throws HvException {
        int n = asked++;
        try {
            client.storeWrite("domain/tool/" + VerbPace.ask(n), "");
            Optional<VerbPace> pace = await(VerbPace.told(n)).map(VerbPace::parse);
            client.storeRemove("domain/tool/" + VerbPace.ask(n));
            return pace;
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private Optional<String> await(String key) throws HvException {
        try {
            return client.storeRead("domain/" + GUEST + "/" + key, PATIENCE);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }
}
