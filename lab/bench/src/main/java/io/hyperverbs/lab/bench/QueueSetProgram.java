package io.hyperverbs.lab.bench;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Holds queue pairs in a domain, idle or busy, for figures of {@code hv bench suite}. Takes commands ({@link CommandLoop}):
 *
 * <ul>
 *   <li>{@code hold PATH N}: has that many queue pairs on the data path from now on, answered by {@code ok N};
 *   <li>{@code stream PATH MILLIS}: writes on all of them for so long, answered by {@code ok <messages> <nanos>}.
 * </ul>
 */
public final class QueueSetProgram {
    private final Domain domain;
    private final Map<DataPathKind, QueueSet> sets = new EnumMap<>(DataPathKind.class);

    private QueueSetProgram(Domain domain) {
        this.domain = domain;
    }

    /** Runs in a domain until it is ended. */
    public static void main(String[] args) throws VerbsException {
        Domain domain = Domain.current();
        QueueSetProgram program = new QueueSetProgram(domain);
        new CommandLoop(domain).run((_, line) -> program.answer(line.split(" ", -1)));
        for (QueueSet set : program.sets.values()) {
            set.close();
        }
    }

    private String answer(String[] words) throws BenchFailure {
        try {
            QueueSet set = set(DataPathKind.valueOf(words[1]));
            int number = Integer.parseInt(words[2]);
            if (words[0].equals("hold")) {
                set.hold(number);
                return "ok " + number;
            }
            long beganNanos = System.nanoTime();
            long messages = set.stream(beganNanos + number * 1_000_000L);
            return "ok " + messages + " " + (System.nanoTime() - beganNanos);
        } catch (VerbsException e) {
            throw new BenchFailure(String.valueOf(e.getMessage()));
        }
    }

    private QueueSet set(DataPathKind path) throws VerbsException {
        QueueSet set = sets.get(path);
        if (set == null) {
            set = new QueueSet(domain, path);
            sets.put(path, set);
        }
        return set;
    }
}
