package io.hyperverbs.lab.run.bench;

/** The hop state of one measurement after the other: a probe after each, which is the one before the next. One thread. */
public final class HopWatch {
    private static final int PROBE_MILLIS = 50;

    private double lastNanos;

    /** Probes before the first measurement, or after something that is not one. */
    public void begin() throws InterruptedException {
        lastNanos = HopProbe.measureNanos(PROBE_MILLIS);
    }

    /** The state since the probe before. */
    public HopState state() throws InterruptedException {
        double before = lastNanos;
        lastNanos = HopProbe.measureNanos(PROBE_MILLIS);
        return HopState.between(before, lastNanos);
    }
}
