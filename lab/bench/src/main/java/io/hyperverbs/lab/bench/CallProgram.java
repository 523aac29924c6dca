package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;

/**
 * Runs rounds of {@code hv bench reg}, {@code events} or {@code conn} in a domain: takes commands ({@link CommandLoop}), each a {@link
 * CallRound}. The samples are those of all steps of the first time, then of the second, and so on.
 */
public final class CallProgram {
    /** The argument of a program that sleeps. */
    public static final String EVENTS = "events";

    /** The first argument of a program that connects; the others are its peer and the name of its data path. */
    public static final String CONNECT = "connect";

    /** The first argument of a program that is called; the other is the name of its data path. */
    public static final String ANSWER = "answer";

    private final CommandLoop commands;
    private final CallSteps steps;

    private CallProgram(Domain domain, String[] args) throws VerbsException {
        commands = new CommandLoop(domain);
        steps = switch (args[0]) {
            case EVENTS -> new EventSteps(domain);
            case CONNECT -> new ConnectSteps(domain, args[1], DataPathKind.valueOf(args[2]));
            case ANSWER -> new ConnectPeer(domain, DataPathKind.valueOf(args[1]));
            default -> new VerbSteps(domain, Integer.parseInt(args[0]));
        };
    }

    /**
     * @param args the largest memory in bytes, or one of the words above
     */
    public static void main(String[] args) throws VerbsException {
        CallProgram program = new CallProgram(Domain.current(), args);
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
