package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.VictimProgram;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.Parallel;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Three guests with traffic. Alice and Bob have each other for a peer, Carol has herself. */
final class Victims {
    private static final Map<String, String> PEERS = new LinkedHashMap<>();

    static {
        PEERS.put("alice", "bob");
        PEERS.put("bob", "alice");
        PEERS.put("carol", "carol");
    }

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(10);

    private final MachineClient client;

    /** Starts a guest that runs a program. */
    @FunctionalInterface
    interface Starter {
        DomainReport start(String name, Program program) throws HvException;
    }

    Victims(MachineClient client) {
        this.client = client;
    }

    /**
     * Starts them side by side and waits until all have traffic.
     *
     * @param loadPercent of what all of them make at full speed; 0 for a little
     */
    void start(Starter starter, int loadPercent) throws HvException, InterruptedException {
        List<Callable<DomainReport>> starts = new ArrayList<>();
        PEERS.forEach((victim, peer) -> starts.add(() -> starter.start(
                victim, InstalledPrograms.of(VictimProgram.class, List.of(peer, Integer.toString(loadPercent))))));
        Parallel.run(starts, "no victims");
        for (String victim : PEERS.keySet()) {
            if (!beatsAfter(victim, -1)) {
                throw new HvException(ExitCode.FAILURE, "victim " + victim + " has no traffic", "hv -v says more");
            }
        }
    }

    /** What one of them has met, or null if all are well and go on. */
    @Nullable
    String complaint() throws HvException, InterruptedException {
        Map<String, Long> beats = new LinkedHashMap<>();
        for (String victim : PEERS.keySet()) {
            beats.put(victim, beat(victim));
        }
        for (Map.Entry<String, Long> victim : beats.entrySet()) {
            boolean goesOn = beatsAfter(victim.getKey(), victim.getValue());
            Optional<String> wrong = said(victim.getKey(), VictimProgram.WRONG, Duration.ZERO);
            if (wrong.isPresent()) {
                return victim.getKey() + " saw " + wrong.get();
            }
            if (!goesOn) {
                return victim.getKey() + " has no traffic any more";
            }
        }
        return null;
    }

    /** Rounds a second that all together make at full speed. They must have a load. */
    long peakPerSecond() throws HvException {
        long sum = 0;
        for (String victim : PEERS.keySet()) {
            sum += said(victim, VictimProgram.PEAK, PATIENCE)
                    .map(Long::parseLong)
                    .orElseThrow(() -> new HvException(
                            ExitCode.FAILURE, "victim " + victim + " found no peak", "hv -v says more"));
        }
        return sum;
    }

    /** Rounds that all together have made. */
    long rounds() throws HvException {
        long sum = 0;
        for (String victim : PEERS.keySet()) {
            sum += beat(victim);
        }
        return sum;
    }

    private boolean beatsAfter(String victim, long beat) throws HvException, InterruptedException {
        for (long waited = 0; waited < PATIENCE.toMillis(); waited += STEP.toMillis()) {
            if (beat(victim) > beat) {
                return true;
            }
            Thread.sleep(STEP.toMillis());
        }
        return false;
    }

    private long beat(String victim) throws HvException {
        return said(victim, VictimProgram.BEAT, Duration.ZERO)
                .map(Long::parseLong)
                .orElse(-1L);
    }

    private Optional<String> said(String victim, String key, Duration patience) throws HvException {
        try {
            return client.storeRead("domain/" + victim + "/" + key, patience);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }
}
