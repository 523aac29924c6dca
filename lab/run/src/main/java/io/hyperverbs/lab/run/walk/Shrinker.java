package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.choose.StepSource;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.launcher.failure.HvException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a sequence that diverges short: leaves out pieces, half of it first, then ever smaller
 * ones, as long as what is left diverges (Zeller and Hildebrandt, delta debugging); then requests
 * out of batches.
 */
public final class Shrinker {
    /** A sequence that diverges only now and then would take for ever. */
    private static final int MOST_RUNS = 4000;

    /** Of longer sequences not all pairs are tried. */
    private static final int MOST_PARTS = 80;

    private final Conductor conductor;
    private final Divergence wanted;
    private final long endNanos;
    private int runs;
    private Optional<Divergence> last = Optional.empty();

    /**
     * @param wanted what a shorter sequence must lead to
     * @param limitNanos stops with the shortest found so far after that
     */
    public Shrinker(Conductor conductor, Divergence wanted, long limitNanos) {
        this.conductor = conductor;
        this.wanted = wanted;
        this.endNanos = System.nanoTime() + limitNanos;
    }

    /** The shortest sequence found; empty if the one given does not diverge again. */
    public Optional<Conductor.Outcome> shrink(List<Step> diverging) throws HvException {
        List<Step> steps = diverging;
        Optional<List<Step>> again = tried(steps);
        if (again.isEmpty()) {
            return Optional.empty();
        }
        steps = withoutPieces(again.get());
        steps = withoutRequests(steps);
        steps = withoutPieces(steps);
        steps = withoutPairs(steps);
        return Optional.of(new Conductor.Outcome(steps, last));
    }

    /** A step, or one request of a batch. */
    private record Part(int step, int request) {
        static final int WHOLE = -1;
    }

    /** Leaves out what goes only together: a receive and the message that takes it. */
    private List<Step> withoutPairs(List<Step> given) throws HvException {
        List<Step> steps = given;
        List<Part> parts = parts(steps);
        for (int i = 0; i < parts.size() && parts.size() <= MOST_PARTS; i++) {
            for (int j = i + 1; j < parts.size() && goesOn(); ) {
                // The later one first: the place of the other stays.
                Optional<List<Step>> shorter = without(steps, parts.get(j));
                if (shorter.isPresent()) {
                    shorter = without(shorter.get(), parts.get(i));
                }
                shorter = shorter.isPresent() ? tried(shorter.get()) : shorter;
                if (shorter.isPresent()) {
                    steps = shorter.get();
                    parts = parts(steps);
                } else {
                    j++;
                }
            }
        }
        return steps;
    }

    private static List<Part> parts(List<Step> steps) {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            parts.add(new Part(i, Part.WHOLE));
            for (int request = 0; without(steps.get(i), request).isPresent(); request++) {
                parts.add(new Part(i, request));
            }
        }
        return parts;
    }

    private static Optional<List<Step>> without(List<Step> steps, Part part) {
        List<Step> rest = new ArrayList<>(steps);
        if (part.request == Part.WHOLE) {
            rest.remove(part.step);
            return Optional.of(rest);
        }
        Optional<Step> smaller = without(steps.get(part.step), part.request);
        smaller.ifPresent(step -> rest.set(part.step, step));
        return smaller.isPresent() ? Optional.of(rest) : Optional.empty();
    }

    private List<Step> withoutPieces(List<Step> given) throws HvException {
        List<Step> steps = given;
        for (int piece = Math.max(1, steps.size() / 2); ; piece = piece / 2) {
            int from = 0;
            while (from < steps.size() && goesOn()) {
                List<Step> rest = new ArrayList<>(steps.subList(0, from));
                rest.addAll(steps.subList(Math.min(steps.size(), from + piece), steps.size()));
                Optional<List<Step>> shorter = rest.isEmpty() ? Optional.empty() : tried(rest);
                if (shorter.isPresent()) {
                    steps = shorter.get();
                } else {
                    from += piece;
                }
            }
            if (piece <= 1) {
                return steps;
            }
        }
    }

    private List<Step> withoutRequests(List<Step> given) throws HvException {
        List<Step> steps = given;
        for (int i = 0; i < steps.size(); i++) {
            for (int request = 0; i < steps.size() && goesOn(); ) {
                Optional<Step> smaller = without(steps.get(i), request);
                if (smaller.isEmpty()) {
                    break;
                }
                List<Step> changed = new ArrayList<>(steps);
                changed.set(i, smaller.get());
                Optional<List<Step>> shorter = tried(changed);
                if (shorter.isPresent()) {
                    steps = shorter.get();
                } else {
                    request++;
                }
            }
        }
        return steps;
    }

    /** The batch without one of its requests; empty if it has only one, or not that one. */
    private static Optional<Step> without(Step step, int request) {
        return switch (step) {
            case Step.PostSend s
            when s.requests().size() > 1 && request < s.requests().size() ->
                Optional.of(new Step.PostSend(s.qp(), without(s.requests(), request)));
            case Step.PostReceive s
            when s.receives().size() > 1 && request < s.receives().size() ->
                Optional.of(new Step.PostReceive(s.qp(), without(s.receives(), request)));
            case Step.PostShared s
            when s.receives().size() > 1 && request < s.receives().size() ->
                Optional.of(new Step.PostShared(s.srq(), without(s.receives(), request)));
            default -> Optional.empty();
        };
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> rest = new ArrayList<>(list);
        rest.remove(index);
        return rest;
    }

    private boolean goesOn() {
        return runs < MOST_RUNS && System.nanoTime() - endNanos < 0;
    }

    /** What was made of the steps up to the divergence, if there is one. */
    private Optional<List<Step>> tried(List<Step> steps) throws HvException {
        runs++;
        Conductor.Outcome outcome = conductor.run(StepSource.of(steps), Math.max(1, steps.size()));
        if (outcome.divergence().filter(wanted::resembles).isEmpty()) {
            return Optional.empty();
        }
        last = outcome.divergence();
        return Optional.of(outcome.steps());
    }
}
