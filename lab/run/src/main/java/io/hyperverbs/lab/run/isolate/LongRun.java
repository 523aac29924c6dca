package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.vmm.domain.DomainReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Every attack with many seeds, and guests that are killed amid one. */
public final class LongRun {
    private static final int KILL_WITHIN_MILLIS = 300;

    private final AttackedMachine attacked;
    private final LongReport report;
    private final LongLog log;
    private final Progress progress;

    /**
     * @param log what has been done before; it is told of all that is done now
     */
    public LongRun(AttackedMachine attacked, LongReport report, LongLog log, Progress progress) {
        this.attacked = attacked;
        this.report = report;
        this.log = log;
        this.progress = progress;
    }

    /**
     * Runs all attacks once for each seed from {@code first} on.
     *
     * @param duration of attacks that have no end
     */
    public void attacks(List<IsolationCase> attacks, long first, int seeds, Duration duration)
            throws HvException, InterruptedException {
        progress.begin("attacking", (long) attacks.size() * seeds);
        for (long seed = first; seed < first + seeds; seed++) {
            long dice = seed;
            IsolationRun run = new IsolationRun(attacked, dice, duration, AttackedMachine.ATTACKER + seed + "-");
            List<IsolationCase> left =
                    attacks.stream().filter(attack -> !log.has(attack, dice)).toList();
            for (int i = left.size(); i < attacks.size(); i++) {
                progress.step("done before, seed " + seed);
            }
            List<IsolationResult> _ = run.run(left, result -> note(result, dice));
        }
    }

    private void note(IsolationResult result, long seed) {
        try {
            report.add(result, seed);
            log.add(result, seed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        progress.step(result.attack().name() + ", seed " + seed);
    }

    /** Kills so many guests at random moments of an attack. */
    public boolean kills(int kills, long seed) throws HvException, InterruptedException, IOException {
        SplittableRandom dice = new SplittableRandom(seed);
        // The first draws are those of the kills that were made before.
        for (int i = 0; i < log.kills(); i++) {
            int _ = dice.nextInt(KILL_WITHIN_MILLIS);
        }
        Baseline before = attacked.baseline();
        boolean clean = true;
        progress.begin("killing guests", kills);
        for (int i = log.kills(); i < kills; i++) {
            String name = AttackedMachine.ATTACKER + "-k" + i;
            DomainReport guest = Attackers.startEndless(attacked, name, seed + i);
            // The moment is drawn, not waited for.
            Thread.sleep(dice.nextInt(KILL_WITHIN_MILLIS));
            AttackedMachine.Death death = attacked.kill(guest, before);
            long millis = death.wrong() == null ? death.millis() : -1;
            clean &= millis >= 0;
            report.killed(millis);
            log.killed(millis);
            progress.step(name + ": " + millis + " ms");
        }
        return clean;
    }
}
