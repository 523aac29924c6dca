package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.model.Expected;
import io.hyperverbs.lab.walk.model.ExpectedEvent;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import java.util.Map;

/**
 * A step on its way to an agent.
 *
 * @param number of the step in the walk
 * @param answer what the call must answer
 * @param completions that must come in the same domain
 * @param events that must come in the same domain
 * @param attributes what a query must find; DEST_QPN told as QPN
 */
record Order(
        int number,
        Step step,
        VerbsStatus answer,
        List<Expected> completions,
        List<ExpectedEvent> events,
        Map<String, Long> attributes) {}
