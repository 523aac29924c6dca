package io.hyperverbs.lab.run.report;

import io.hyperverbs.lab.run.bench.Percentiles;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was measured on several paths in turn, round by round, as a table: medians of the rounds, and how each path
 * compares with the first in the same round. Rows are in the order in which they were added first. One thread.
 */
public final class PathRounds {
    private static final double WITHOUT_DIGITS = 100;
    private static final double TWO_DIGITS = 10;

    private final List<String> paths;
    private final Map<Row, Map<String, List<Double>>> values = new LinkedHashMap<>();

    /**
     * One row.
     *
     * @param what with its unit
     * @param size of a message; null where there is none
     * @param isRatio of two others in the same round: shown with least and most, and not compared
     */
    private record Row(String what, @Nullable Integer size, boolean isRatio) {}

    /** @param paths in the order of columns; the first is what others are compared with */
    public PathRounds(List<String> paths) {
        this.paths = List.copyOf(paths);
    }

    /** Adds the value of a round. */
    public void add(String what, @Nullable Integer size, String path, double value) {
        add(new Row(what, size, false), path, value);
    }

    /** Adds the ratio of two values of a round. */
    public void addRatio(String what, @Nullable Integer size, String path, double value) {
        add(new Row(what, size, true), path, value);
    }

    private void add(Row row, String path, double value) {
        values.computeIfAbsent(row, _ -> new LinkedHashMap<>())
                .computeIfAbsent(path, _ -> new ArrayList<>())
                .add(value);
    }

    /** The values of a row on a path over all rounds; none if there are none. */
    public List<Double> values(String what, @Nullable Integer size, String path) {
        return values.entrySet().stream()
                .filter(row -> row.getKey().what.equals(what) && Objects.equals(row.getKey().size, size))
                .flatMap(row -> row.getValue().getOrDefault(path, List.of()).stream())
                .toList();
    }

    /** Medians and ratios; {@code schema} such as {@code hv.bench-ip/1}. */
    public Table table(String schema) {
        List<String> columns = new ArrayList<>(List.of("WHAT", "SIZE"));
        paths.forEach(path -> columns.add(path.toUpperCase(Locale.ROOT)));
        List<String> compared = paths.subList(1, paths.size());
        compared.forEach(path -> columns.add(
                path.toUpperCase(Locale.ROOT) + "/" + paths.getFirst().toUpperCase(Locale.ROOT)));
        Table table = new Table(schema, "rows", columns.toArray(String[]::new));
        values.forEach((row, byPath) -> {
            List<@Nullable Object> cells = new ArrayList<>();
            cells.add(row.what);
            cells.add(row.size);
            for (String path : paths) {
                List<Double> found = byPath.getOrDefault(path, List.of());
                cells.add(row.isRatio ? spread(found) : median(found));
            }
            List<Double> first = byPath.getOrDefault(paths.getFirst(), List.of());
            for (String path : compared) {
                cells.add(row.isRatio ? null : spread(ratios(byPath.getOrDefault(path, List.of()), first)));
            }
            Table _ = table.row(cells.toArray());
        });
        return table;
    }

    private static List<Double> ratios(List<Double> path, List<Double> first) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(path.size(), first.size()); i++) {
            ratios.add(path.get(i) / first.get(i));
        }
        return ratios;
    }

    private static Table.@Nullable Shown median(List<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        double median = Percentiles.of(values).median();
        String format = median < TWO_DIGITS ? "%.2f" : median < WITHOUT_DIGITS ? "%.1f" : "%.0f";
        return new Table.Shown(String.format(Locale.ROOT, format, median), median);
    }

    private static Table.@Nullable Shown spread(List<Double> ratios) {
        return ratios.isEmpty()
                ? null
                : new Table.Shown(spreadWords(ratios), Percentiles.of(ratios).median());
    }

    /** Median, least and most of ratios: {@code 1.10 (0.84 to 1.36)}. */
    public static String spreadWords(List<Double> ratios) {
        Percentiles all = Percentiles.of(ratios);
        return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", all.median(), all.min(), all.max());
    }
}
