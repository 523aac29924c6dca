package io.hyperverbs.lab.run.suite;

import java.util.List;

/** The figures of verbs, in the order in which they are measured and shown. */
public final class Figures {
    /** A new one is a class and a line here. */
    public static final List<Figure> VERBS = List.of(
            new LatencyFigure(),
            new BandwidthFigure(),
            new RateFigure(),
            new BlockingFigure(),
            new RegistrationFigure(),
            new InterDomainFigure(),
            new EventsFigure(),
            new IdleFigure(),
            new GuestsFigure(),
            new QueuePairsFigure(),
            new CqServerFigure());

    private Figures() {}
}
