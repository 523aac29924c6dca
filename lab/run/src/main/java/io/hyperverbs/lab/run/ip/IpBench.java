package io.hyperverbs.lab.run.ip;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures all cells on all pairs in turn, round by round; the first round warms up and does not count. */
public final class IpBench {
    private final List<IpPair> pairs;
    private final List<IpCell> cells;
    private final int rounds;

    /** Of each cell and path, a value for each round. */
    private final Map<IpCell, Map<String, List<Double>>> values = new LinkedHashMap<>();

    /**
     * @param pairs the first is what others are compared with
     * @param rounds that count, at least 1
     */
    public IpBench(List<IpPair> pairs, List<IpCell> cells, int rounds) {
        this.pairs = List.copyOf(pairs);
        this.cells = List.copyOf(cells);
        this.rounds = rounds;
    }

    /** Measures. */
    public void run(Progress progress) throws IOException {
        progress.begin("measuring sockets", rounds + 1L);
        for (int round = 0; round <= rounds; round++) {
            for (IpCell cell : cells) {
                for (IpPair pair : pairs) {
                    double value = cell.measure(pair);
                    if (round > 0) {
                        note(cell, pair.word(), value);
                    }
                }
            }
            progress.step(round == 0 ? "warm" : "round " + round);
        }
    }

    void note(IpCell cell, String path, double value) {
        values.computeIfAbsent(cell, _ -> new LinkedHashMap<>())
                .computeIfAbsent(path, _ -> new ArrayList<>())
                .add(value);
    }

    /** Medians of the rounds, and how each path compares with the first in the same round: median, least and most. */
    public Table table() {
        List<String> columns = new ArrayList<>(List.of("WHAT", "SIZE"));
        pairs.forEach(pair -> columns.add(pair.word().toUpperCase(Locale.ROOT)));
        List<IpPair> compared = pairs.subList(1, pairs.size());
        compared.forEach(pair -> columns.add(pair.word().toUpperCase(Locale.ROOT) + "/"
                + pairs.getFirst().word().toUpperCase(Locale.ROOT)));
        Table table = new Table("hv.bench-ip/1", "rows", columns.toArray(String[]::new));
        values.forEach((cell, byPath) -> {
            List<@Nullable Object> row = new ArrayList<>(List.of(cell.kind().word(), cell.sizeBytes()));
            for (IpPair pair : pairs) {
                double median = Percentiles.of(byPath.getOrDefault(pair.word(), List.of()))
                        .median();
                row.add(shown(median));
            }
            for (IpPair pair : compared) {
                row.add(ratio(
                        byPath.getOrDefault(pair.word(), List.of()),
                        byPath.getOrDefault(pairs.getFirst().word(), List.of())));
            }
            Table _ = table.row(row.toArray());
        });
        return table;
    }

    private static Table.Shown ratio(List<Double> path, List<Double> first) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            ratios.add(path.get(i) / first.get(i));
        }
        Percentiles all = Percentiles.of(ratios);
        return new Table.Shown(
                String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", all.median(), all.min(), all.max()), all.median());
    }

    private static Table.Shown shown(double value) {
        return new Table.Shown(String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value), value);
    }
}
