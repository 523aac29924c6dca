package io.hyperverbs.lab.run.suite;

import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A figure of the evaluation. It keeps nothing of a run. */
public interface Figure {
    FigureInfo info();

    /** Why it cannot be measured here, in a few words; empty if it can. */
    default Optional<String> obstacle() {
        return Optional.empty();
    }

    /** Measures, round after round, in each all series in turn. */
    List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException;
}
