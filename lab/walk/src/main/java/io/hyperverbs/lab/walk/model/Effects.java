package io.hyperverbs.lab.walk.model;

import java.util.List;

/**
 * What must come of a step.
 *
 * @param completions those of each queue in order
 * @param silent queue pairs whose last request ended without a completion: their PSN tells
 */
public record Effects(List<Expected> completions, List<ExpectedEvent> events, List<ModelQp> silent) {
    public Effects {
        completions = List.copyOf(completions);
        events = List.copyOf(events);
        silent = List.copyOf(silent);
    }
}
