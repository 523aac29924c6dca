package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.AttackReport;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.MeasurePoint;
import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.envelope.Promises;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;

/**
 * Runs attacks one after the other and looks after each whether the machine, the victims and the
 * HCA are as before. An attacker's guest serves as many attacks as it survives; then there is a
 * new one.
 */
public final class IsolationRun {
    /** Attackers of shorter ones are started for a quick end, not for full speed. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    private final AttackedMachine attacked;
    private final long seed;
    private final Duration duration;
    private final String attackers;
    private final Promises promises;
    private int guests;

    /**
     * @param duration of attacks that go on until they are told to stop
     */
    public IsolationRun(AttackedMachine attacked, long seed, Duration duration) throws HvException {
        this(attacked, seed, duration, AttackedMachine.ATTACKER);
    }

    /** The same, with guests of other names. */
    IsolationRun(AttackedMachine attacked, long seed, Duration duration, String attackers) throws HvException {
        this.attacked = attacked;
        this.seed = seed;
        this.duration = duration;
        this.attackers = attackers;
        this.promises = attacked.promises();
    }

    /** Runs all of them; {@code each} hears of every result at once. */
    public List<IsolationResult> run(List<IsolationCase> attacks, Consumer<IsolationResult> each)
            throws HvException, InterruptedException {
        List<IsolationResult> results = new ArrayList<>();
        if (attacks.stream().anyMatch(IsolationCase::timed)) {
            PaceWatch _ = attacked.watch(duration);
        }
        Baseline before = attacked.baseline();
        while (results.size() < attacks.size()) {
            oneGuest(attacks.subList(results.size(), attacks.size()), before, results, each);
        }
        return results;
    }

    private void oneGuest(
            List<IsolationCase> attacks, Baseline before, List<IsolationResult> results, Consumer<IsolationResult> each)
            throws HvException, InterruptedException {
        String attacker = attackers + ++guests;
        Traces known = attacked.traces(attacker);
        attacked.add(
                attacker,
                Attackers.program(
                        attacker,
                        seed,
                        duration,
                        duration.compareTo(BRIEF) < 0,
                        attacks.stream().map(IsolationCase::name).toList()));
        boolean more = true;
        for (int i = 0; more && i < attacks.size(); i++) {
            String name = attacks.get(i).name();
            Paces paces = attacks.get(i).timed() ? watch(attacker, name, i) : null;
            Optional<AttackReport> said = attacked.said(attacker, i).or(() -> attacked.printed(attacker, name));
            boolean waits = said.isPresent() && !said.get().spent();
            more = waits && i + 1 < attacks.size();
            Traces seen = attacked.traces(attacker);
            Optional<String> end = Optional.empty();
            if (!more) {
                end = waits ? attacked.dismiss(attacker, i) : attacked.end(attacker);
            }
            IsolationResult result = judge(attacks.get(i), said, end, before);
            if (paces != null && result.verdict() == Verdict.CONTAINED) {
                result = judged(result, paces);
            }
            boolean wasMade = said.map(report -> report.verdict() != AttackReport.Kind.REFUSED)
                    .orElse(true);
            result = traced(result, wasMade, seen.since(known));
            known = seen;
            results.add(result);
            each.accept(result);
            if (more) {
                attacked.goOn(attacker, i);
            }
        }
    }

    /**
     * The same with what was counted of it; what must leave a trace and leaves none is a breach.
     */
    private static IsolationResult traced(IsolationResult result, boolean wasMade, SequencedMap<String, Long> trace) {
        List<String> expected = wasMade ? ExpectedTraces.of(result.attack().name()) : List.of();
        boolean unseen = result.verdict() == Verdict.CONTAINED
                && !expected.isEmpty()
                && expected.stream().noneMatch(trace::containsKey);
        return new IsolationResult(
                result.attack(),
                unseen ? Verdict.BREACH : result.verdict(),
                unseen ? result.observed() + "; left no trace in " + String.join(", ", expected) : result.observed(),
                Traces.words(trace));
    }

    /**
     * The same; what an attacker saw of a limit that the tier does not promise is no breach. Harm
     * to others is one in all tiers.
     */
    static IsolationResult promised(IsolationResult result, Promises promises) {
        boolean excused = result.verdict() == Verdict.BREACH
                && result.attack().promise().map(one -> !promises.keeps(one)).orElse(false);
        return excused
                ? new IsolationResult(result.attack(), Verdict.NOT_PROMISED, result.observed(), result.trace())
                : result;
    }

    private Paces watch(String attacker, String attack, int number) throws HvException, InterruptedException {
        return attacked.watch(duration).run(attacker, attack, () -> attacked.isOver(attacker, number));
    }

    /** The same with what others paid for it. */
    private IsolationResult judged(IsolationResult result, Paces paces) {
        boolean firm = MeasurePoint.isFirm(duration);
        String excess = paces.excess(firm, result.attack().timing());
        String observed = result.observed() + "; " + paces.words(firm);
        return promised(
                new IsolationResult(
                        result.attack(),
                        excess == null ? Verdict.CONTAINED : Verdict.BREACH,
                        excess == null ? observed : excess + "; " + observed),
                promises);
    }

    private IsolationResult judge(
            IsolationCase attack, Optional<AttackReport> said, Optional<String> end, Baseline before)
            throws HvException, InterruptedException {
        String harm = attacked.harm(before);
        if (harm != null) {
            return new IsolationResult(attack, Verdict.BREACH, harm);
        }
        IsolationResult result = said.map(
                        report -> new IsolationResult(attack, verdict(report, promises), report.observed()))
                .orElseGet(() -> silent(attack, end.orElse("said nothing")));
        return promised(result, promises);
    }

    /** What keeps an attack from its first step contains it where the tier promises just that. */
    static Verdict verdict(AttackReport report, Promises promises) {
        return switch (report.verdict()) {
            case CONTAINED -> Verdict.CONTAINED;
            case BREACH -> Verdict.BREACH;
            case FAILED -> Verdict.FAILED;
            case REFUSED -> promises.refusesSockets() ? Verdict.CONTAINED : Verdict.FAILED;
        };
    }

    /** An attacker that the VMM ended has met a limit. */
    private static IsolationResult silent(IsolationCase attack, String end) {
        return new IsolationResult(
                attack,
                end.contains(DomainReport.ENDED_BY_VMM) || end.contains(DomainReport.ENDED_BY_KERNEL)
                        ? Verdict.CONTAINED
                        : Verdict.FAILED,
                "the attacker " + end);
    }

    /** The exit code that all results together mean. */
    public static ExitCode exitCode(List<IsolationResult> results) {
        return Verdict.worst(results.stream().map(IsolationResult::verdict).toList())
                .exitCode();
    }
}
