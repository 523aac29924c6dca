package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.run.isolate.AttackedMachine;
import io.hyperverbs.lab.run.isolate.Attackers;
import io.hyperverbs.lab.run.isolate.Baseline;
import io.hyperverbs.lab.run.isolate.IsolationResult;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.lab.run.isolate.IsolationRun;
import io.hyperverbs.lab.run.isolate.ProcessSignal;
import io.hyperverbs.lab.run.isolate.Trusted;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.domain.DomainReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A machine with victims. */
public final class MachineGround implements Ground {
    /** Guests of one name follow each other: the VMM remembers the last one of each. */
    private static final String DOOMED = AttackedMachine.ATTACKER + "-doomed";

    /** Pools of the JDK: their threads come with work and stay for a minute without. */
    private static final Set<String> ELASTIC = Set.of("ForkJoinPool.co", "process reaper");

    private static final int KILL_WITHIN_MILLIS = 300;
    private static final Duration FROZEN = Duration.ofSeconds(1);

    private final AttackedMachine attacked;
    private final Duration attack;

    /**
     * @param attacked with a load
     * @param attack how long an attack goes on that has no end
     */
    public MachineGround(AttackedMachine attacked, Duration attack) {
        this.attacked = attacked;
        this.attack = attack;
    }

    @Override
    public Outcome make(SoakFault fault, long dice) throws HvException, InterruptedException {
        return switch (fault) {
            case SoakFault.Attack made -> attack(made, dice);
            case SoakFault.Kill _ -> death(dice, false);
            case SoakFault.Freeze _ -> death(dice, true);
        };
    }

    private Outcome attack(SoakFault.Attack made, long dice) throws HvException, InterruptedException {
        long start = System.nanoTime();
        IsolationResult result = new IsolationRun(attacked, dice, attack)
                .run(List.of(made.made()), _ -> {})
                .getFirst();
        return new Outcome(
                result.verdict(), result.observed(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    private Outcome death(long dice, boolean frozen) throws HvException, InterruptedException {
        // Of each fault anew: the journal of a day grows.
        Baseline before = attacked.baseline();
        DomainReport guest = Attackers.startEndless(attacked, DOOMED, dice);
        // The moment is drawn, not waited for.
        Thread.sleep(new SplittableRandom(dice).nextInt(KILL_WITHIN_MILLIS));
        if (frozen) {
            ProcessSignal.STOP.send(guest.pid());
            Thread.sleep(FROZEN);
        }
        AttackedMachine.Death death = attacked.kill(guest, before);
        return death.wrong() == null
                ? new Outcome(Verdict.CONTAINED, "all it had is free", death.millis())
                : new Outcome(Verdict.BREACH, death.wrong(), death.millis());
    }

    @Override
    public long peakPerSecond() throws HvException {
        return attacked.peakPerSecond();
    }

    @Override
    public long rounds() throws HvException {
        return attacked.rounds();
    }

    @Override
    public List<Holding> holdings() throws HvException, InterruptedException {
        List<Holding> holdings = new ArrayList<>();
        for (Trusted process : attacked.trusted()) {
            holdings.add(
                    new Holding(process.name(), process.heap().bytes(), threads(process.pid()), process.descriptors()));
        }
        return holdings;
    }

    private static Map<String, Long> threads(long pid) {
        Map<String, Long> threads = new HashMap<>();
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : all.toList()) {
                threads.merge(name(task), 1L, Long::sum);
            }
            threads.keySet().removeAll(ELASTIC);
        } catch (IOException gone) {
            // Its end is judged elsewhere.
        }
        return threads;
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip().replaceAll("[0-9]+", "N");
        } catch (IOException gone) {
            return "ended";
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void awaitNanos(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }
}
