package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures that nobody measured. */
final class MadeFigure {
    private MadeFigure() {}

    static FigureInfo info(String name) {
        return new FigureInfo(name, "Title of " + name, "Liu 2006 <§6>", "bytes", "μs", "native", "What is & is done.");
    }

    static FigureRound round(String what, long x, int number, Map<String, Double> values) {
        return FigureRound.of(new FigureCell(what, x), number, HopState.NEAR, 0.0, values);
    }

    /** Five steady rounds of write at 64 and 4096 bytes; bypass takes {@code ratio} of native, forwarded 40 times as long. */
    static FigureData latency(double ratio) {
        List<FigureRound> rounds = new ArrayList<>();
        for (long x : new long[] {64, 4096}) {
            for (int i = 0; i < 5; i++) {
                double base = 1 + 0.01 * i;
                rounds.add(round(
                        "write", x, i, Map.of("native", base, "bypass", base * ratio, "forwarded", base * ratio * 40)));
            }
        }
        return new FigureData(info("latency"), rounds);
    }

    /** Five rounds whose values are medians of samples. */
    static FigureData sampled() {
        List<FigureRound> rounds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Map<String, long[]> nanos = Map.of("native", new long[] {1000, 2000, 3000}, "bypass", new long[] {4000});
            rounds.add(FigureRound.ofNanos(new FigureCell("reg_mr", 4096), i, HopState.FAR, 0.1, nanos, 2));
        }
        return new FigureData(info("registration"), rounds);
    }

    static SuiteResult result(FigureData... figures) {
        Environment environment = new Environment(2, "a cpu", "1 kB", "Linux 6", "a JVM", "absent", "unknown");
        return SuiteResult.of(List.of(figures), environment, "2", true);
    }
}
