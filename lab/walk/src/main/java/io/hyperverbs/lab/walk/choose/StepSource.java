package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.step.Step;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Where the steps of a walk come from. */
@FunctionalInterface
public interface StepSource {
    /** The next step, empty after the last. */
    Optional<Step> next(Model model);

    /** These, in order. */
    static StepSource of(List<Step> steps) {
        Iterator<Step> left = steps.iterator();
        return model -> left.hasNext() ? Optional.of(left.next()) : Optional.empty();
    }
}
