package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.Figures;
import java.util.List;
import java.util.stream.Stream;

/** All figures of the suite: those of verbs, and of what runs above them. */
public final class SuiteFigures {
    /** A new one of what runs above verbs is a line here. */
    private static final List<Figure> UPPER = List.of(
            IpFigure.DATAGRAM,
            IpFigure.CONNECTED,
            MessagesFigure.LATENCY,
            MessagesFigure.BANDWIDTH,
            new NasFigure(),
            new HandlingFigure(),
            new TransferFigure(),
            ApplicationsFigure.TIMES,
            ApplicationsFigure.TRAFFIC);

    /** In the order in which they are measured and shown. */
    public static final List<Figure> ALL =
            Stream.concat(Figures.VERBS.stream(), UPPER.stream()).toList();

    private SuiteFigures() {}
}
