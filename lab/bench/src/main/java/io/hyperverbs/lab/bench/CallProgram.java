package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;

/**
 * Runs rounds of {@code hv bench reg} or {@code events} in a domain: takes commands ({@link CommandLoop}), each a {@link
 * CallRound}. The samples are those of all steps of the first time, then of the second, and so on.
 */
public final class CallProgram {
    /** The argument of a program that sleeps. */
    public static final String EVENTS = "events";

    private final CommandLoop commands;
    private final CallSteps steps;

    private CallProgram(Domain domain, String about) throws VerbsException {
        commands = new CommandLoop(domain);
        steps = about.equals(EVENTS) ? new EventSteps(domain) : new VerbSteps(domain, Integer.parseInt(about));
    }

    /**
     * @param args the largest memory in bytes, or {@link #EVENTS}
     */
    public static void main(String[] args) throws VerbsException {
        CallProgram program = new CallProgram(Domain.current(), args[0]);
        program.commands.run((_, line) -> program.answer(CallRound.parse(line)));
        program.steps.close();
    }

    private String answer(CallRound round) throws BenchFailure {
        try {
            int each = round.sequence().steps().size();
            long[] nanos = new long[each * round.iterations()];
            for (int i = 0; i < round.warmUp(); i++) {
                steps.once(round, nanos, 0);
            }
            long endNanos = System.nanoTime() + round.millis() * 1_000_000L;
            int count = 0;
            while (count < round.iterations()
                    && (count < CallRound.LEAST_ITERATIONS || System.nanoTime() - endNanos < 0)) {
                steps.once(round, nanos, each * count++);
            }
            return commands.samples(nanos, each * count);
        } catch (VerbsException e) {
            throw new BenchFailure(String.valueOf(e.getMessage()));
        }
    }
}
