package io.hyperverbs.toolstack.isolate.run;

import io.hyperverbs.toolstack.check.DomainProgram;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;
import io.hyperverbs.toolstack.isolate.AttackProgram;
import io.hyperverbs.toolstack.isolate.IsolationCase;
import io.hyperverbs.toolstack.isolate.run.IsolationResult.Verdict;
import io.hyperverbs.toolstack.machine.Program;
import io.hyperverbs.toolstack.topology.Guest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs attacks one after the other, each in a guest made for it, and looks after each whether the
 * machine, the victims and the card are as before.
 */
public final class IsolationRun {
    private final DomainProgram domains;
    private final Bystanders bystanders;
    private final long seed;
    private final Duration duration;
    private int attackers;

    /**
     * @param duration of attacks that go on until they are told to stop
     */
    public IsolationRun(
            DomainProgram domains, Bystanders bystanders, long seed, Duration duration) {
        this.domains = domains;
        this.bystanders = bystanders;
        this.seed = seed;
        this.duration = duration;
    }

    /** Runs one and judges it. */
    public IsolationResult run(IsolationCase attack)
            throws HvException, IOException, InterruptedException {
        String before = bystanders.resources();
        String attacker = "mallory" + ++attackers;
        List<String> lines = new ArrayList<>();
        DomainProgram.End end =
                domains.run(
                        Guest.named(attacker),
                        new Program(
                                AttackProgram.class.getName(),
                                List.of(),
                                List.of(
                                        attack.name(),
                                        Long.toString(seed),
                                        Long.toString(duration.toMillis()))),
                        lines::add);
        String harm = bystanders.harm(before);
        if (harm != null) {
            return new IsolationResult(attack, Verdict.BREACH, harm);
        }
        String said = said(lines);
        if (said == null) {
            return new IsolationResult(attack, Verdict.FAILED, "the attacker " + end.text());
        }
        int space = said.indexOf(' ');
        return new IsolationResult(
                attack, Verdict.valueOf(said.substring(0, space)), said.substring(space + 1));
    }

    private static @Nullable String said(List<String> lines) {
        for (String line : lines) {
            for (String word :
                    List.of(AttackProgram.CONTAINED, AttackProgram.BREACH, AttackProgram.FAILED)) {
                if (line.startsWith(word + " ")) {
                    return line;
                }
            }
        }
        return null;
    }

    /** The exit code that all results together mean. */
    public static ExitCode exitCode(List<IsolationResult> results) {
        if (results.stream().anyMatch(result -> result.verdict() == Verdict.BREACH)) {
            return ExitCode.BREACH;
        }
        return results.stream().allMatch(result -> result.verdict() == Verdict.CONTAINED)
                ? ExitCode.OK
                : ExitCode.CHECK_FAILED;
    }
}
