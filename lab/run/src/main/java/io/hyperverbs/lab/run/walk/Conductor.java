package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.choose.StepSource;
import io.hyperverbs.lab.walk.model.Effects;
import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs sequences, each from an empty state on. Steps of one domain that follow each other go to it
 * in one burst; another domain's turn begins when all is settled that the burst has caused.
 */
public final class Conductor {
    private final List<AgentLink> links;
    private final WalkTarget target;
    private final Duration patience;
    private final int longestBurst;

    /**
     * @param patience how long to wait for what must come
     * @param longestBurst steps; 1 tells exactly after which step memory differs
     */
    public Conductor(WalkTarget target, Duration patience, int longestBurst) {
        this.links = List.copyOf(target.links());
        this.target = target;
        this.patience = patience;
        this.longestBurst = longestBurst;
    }

    /**
     * What a sequence came to.
     *
     * @param steps those that were made
     */
    public record Outcome(List<Step> steps, Optional<Divergence> divergence) {
        public Outcome {
            steps = List.copyOf(steps);
        }
    }

    /** Runs at most {@code limit} steps of {@code source}, up to the first divergence. */
    public Outcome run(StepSource source, int limit) throws HvException {
        return new Run().run(target.certain(source), limit);
    }

    /** One sequence. */
    private final class Run {
        private final Model model = new Model(target.hca(), target.lids());
        private final Map<Integer, Integer> numbers = new HashMap<>();
        private final List<Burst> bursts = new ArrayList<>();
        private final List<Step> steps = new ArrayList<>();
        private int current;
        private long wrId = 1;

        Run() {
            for (int i = 0; i < links.size(); i++) {
                bursts.add(new Burst(links.get(i), i, model, numbers, patience));
            }
        }

        Outcome run(StepSource source, int limit) throws HvException {
            Optional<Divergence> divergence = Optional.empty();
            // A source may offer steps that do not fit; it must not offer such for ever.
            for (int offered = 0; divergence.isEmpty() && steps.size() < limit && offered < 20 * limit; offered++) {
                Optional<Step> next = source.next(model);
                if (next.isEmpty()) {
                    break;
                }
                divergence = take(next.get());
            }
            // What is still to be done comes first; the others then see what has come of it.
            for (int i = 0; divergence.isEmpty() && i < bursts.size(); i++) {
                divergence = flush(true);
                current = (current + 1) % bursts.size();
            }
            return new Outcome(steps, divergence);
        }

        private Optional<Divergence> take(Step offered) throws HvException {
            Step step = model.resolve(offered);
            Optional<VerbsStatus> answer = model.predict(step);
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            int domain = model.domainOf(step).orElseThrow();
            if (domain != current) {
                Optional<Divergence> divergence = bursts.get(current).isEmpty() ? Optional.empty() : flush(true);
                if (divergence.isPresent()) {
                    return divergence;
                }
                current = domain;
            }
            return make(offered, step, answer.get());
        }

        private Optional<Divergence> make(Step offered, Step step, VerbsStatus answer) throws HvException {
            Burst burst = bursts.get(current);
            long firstWrId = wrId;
            wrId += size(step);
            boolean success = answer == VerbsStatus.SUCCESS;
            Effects effects = success ? model.commit(step, firstWrId) : new Effects(List.of(), List.of(), List.of());
            burst.add(steps.size(), step, answer, firstWrId, effects);
            steps.add(offered);
            boolean moved = false;
            for (int i = 0; i < bursts.size(); i++) {
                moved |= i != current && bursts.get(i).await(effects);
            }
            boolean learns = success && Burst.learnsFrom(step);
            Optional<Divergence> divergence = Optional.empty();
            if (moved || learns || burst.isFull(longestBurst)) {
                divergence = flush(!moved);
            }
            if (moved && divergence.isEmpty()) {
                divergence = settleOthers();
            }
            return divergence;
        }

        /** Another domain's requests were set going: they have to come to rest. */
        private Optional<Divergence> settleOthers() throws HvException {
            int mine = current;
            Optional<Divergence> divergence = Optional.empty();
            for (int i = 0; i < bursts.size() && divergence.isEmpty(); i++) {
                if (i != mine && bursts.get(i).isAwaiting()) {
                    current = i;
                    divergence = flush(true);
                }
            }
            current = mine;
            return divergence;
        }

        /** Memory that requests of others may still change is compared the next time. */
        private Optional<Divergence> flush(boolean atRest) throws HvException {
            Optional<Divergence> divergence = bursts.get(current).exchange(steps.size() - 1, atRest);
            for (String fact : bursts.get(current).takeFacts()) {
                for (int i = 0; i < bursts.size(); i++) {
                    if (i != current) {
                        bursts.get(i).tell(fact);
                    }
                }
            }
            return divergence;
        }

        private static int size(Step step) {
            return switch (step) {
                case Step.Bind s -> 1;
                case Step.PostSend s -> s.requests().size();
                case Step.PostReceive s -> s.receives().size();
                case Step.PostShared s -> s.receives().size();
                default -> 0;
            };
        }
    }
}
