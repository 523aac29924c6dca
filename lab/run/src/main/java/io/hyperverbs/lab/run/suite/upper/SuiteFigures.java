package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.Figures;
import java.util.List;
import java.util.stream.Stream;

/** All figures of the suite: those of verbs, and of what runs above them. */
public final class SuiteFigures {
    /** A new one of what runs above verbs is a line here. */
    private static final List<Figure> UPPER = List.of(MessagesFigure.LATENCY, MessagesFigure.BANDWIDTH);

    /** In the order in which they are measured and shown. */
    public static final List<Figure> ALL =
            Stream.concat(Figures.VERBS.stream(), UPPER.stream()).toList();

    private SuiteFigures() {}
}
