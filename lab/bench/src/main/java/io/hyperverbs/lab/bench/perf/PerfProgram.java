package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.lab.bench.CommandLoop;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One side of {@code hv bench lat} and {@code bw}: does each {@link PerfRound} that is asked for ({@link CommandLoop})
 * together with its peer, which is asked for the other side of it. A latency round is answered by its samples, a
 * bandwidth round by {@code ok} and what {@link BandwidthRun#run} returns.
 */
public final class PerfProgram {
    private final Domain domain;
    private final String peer;
    private final CommandLoop commands;
    private final Map<DataPathKind, Context> contexts = new EnumMap<>(DataPathKind.class);

    /** Of the last round: the peer may still read there until the next one. */
    private @Nullable PerfPoints points;

    private PerfProgram(Domain domain, String peer) {
        this.domain = domain;
        this.peer = peer;
        this.commands = new CommandLoop(domain);
    }

    /**
     * @param args the peer's name
     */
    public static void main(String[] args) throws VerbsException {
        PerfProgram program = new PerfProgram(Domain.current(), args[0]);
        program.commands.run((n, line) -> program.answer(PerfRound.parse(line)));
        for (Context context : program.contexts.values()) {
            context.close();
        }
    }

    private String answer(PerfRound round) throws VerbsException, BenchFailure {
        if (points != null) {
            points.close();
        }
        points = new PerfPoints(domain.store(), peer, round.session());
        try {
            return answer(round, points);
        } catch (VerbsException | BenchFailure e) {
            points.fail(String.valueOf(e.getMessage()));
            throw new BenchFailure(round.verb().word() + " of " + round.sizeBytes() + " bytes on " + round.path() + ": "
                    + e.getMessage());
        }
    }

    private String answer(PerfRound round, PerfPoints at) throws VerbsException, BenchFailure {
        Context context = contexts.get(round.path());
        if (context == null) {
            context = domain.devices().getFirst().open(round.path());
            contexts.put(round.path(), context);
        }
        try (PerfEnd end = new PerfEnd(round, new PerfObjects(domain, context, round), at)) {
            new PatternCheck(end, at).run();
            String answer = round.latency() ? latency(end) : "ok " + new BandwidthRun(end, at).run();
            at.meet("over");
            return answer;
        }
    }

    private String latency(PerfEnd end) throws VerbsException, BenchFailure {
        long[] nanos = new long[end.round.seconds() > 0 ? PerfRound.MOST_SAMPLES : end.round.iterations()];
        return commands.samples(nanos, new LatencyRun(end).run(nanos));
    }
}
