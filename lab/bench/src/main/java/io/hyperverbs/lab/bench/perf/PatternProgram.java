package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.lab.bench.CommandLoop;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A domain of {@code hv bench bw --pattern} or {@code lat --pattern}: does each {@link PatternRound} that is asked for
 * ({@link CommandLoop}) together with all other domains of it, and answers {@code ok} and what {@link
 * PatternStreams#run} returns. One thread.
 */
public final class PatternProgram {
    private final Domain domain;
    private final CommandLoop commands;
    private final Map<DataPathKind, Context> contexts = new EnumMap<>(DataPathKind.class);

    /** Of the last row: others may still read there until the next one. */
    private final List<PerfPoints> points = new ArrayList<>();

    private PatternProgram(Domain domain) {
        this.domain = domain;
        this.commands = new CommandLoop(domain);
    }

    /** @param args none */
    public static void main(String[] args) throws VerbsException {
        PatternProgram program = new PatternProgram(Domain.current());
        program.commands.run((_, line) -> program.answer(PatternRound.parse(line)));
        for (Context context : program.contexts.values()) {
            context.close();
        }
    }

    private String answer(PatternRound round) throws VerbsException, BenchFailure {
        for (PerfPoints old : points) {
            old.close();
        }
        points.clear();
        List<PerfPoints> all = new ArrayList<>();
        for (String other : round.others()) {
            all.add(points(other, round.session()));
        }
        List<PatternStreams.Link> links = new ArrayList<>();
        try {
            for (PatternRound.Link link : round.links()) {
                // All domains have links in one order, so that of two that wait for each other none does so elsewhere.
                links.add(link(link));
            }
            return "ok " + new PatternStreams(links, all, round.timed()).run();
        } catch (VerbsException | BenchFailure e) {
            for (PerfPoints at : points) {
                at.fail(String.valueOf(e.getMessage()));
            }
            throw new BenchFailure(String.valueOf(e.getMessage()));
        } finally {
            for (PatternStreams.Link link : links) {
                link.end().close();
            }
        }
    }

    private PerfPoints points(String peer, int session) {
        PerfPoints made = new PerfPoints(domain.store(), peer, session);
        points.add(made);
        return made;
    }

    private PatternStreams.Link link(PatternRound.Link asked) throws VerbsException, BenchFailure {
        PerfRound round = asked.round();
        Context context = contexts.get(round.path());
        if (context == null) {
            context = domain.devices().getFirst().open(round.path());
            contexts.put(round.path(), context);
        }
        PerfPoints at = points(asked.peer(), round.session());
        PerfEnd end = new PerfEnd(round, new PerfObjects(domain, context, round), at);
        new PatternCheck(end, at).run();
        return new PatternStreams.Link(end, at, new BandwidthRun(end, at));
    }
}
