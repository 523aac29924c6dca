package io.hyperverbs.lab.run.check;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a run found out: a verdict for each case on each path. For one thread. */
public final class PathVerdicts {
    private static final Verdict MISSING = Verdict.failed("no verdict: the program did not get there");

    private final List<ConformanceCase> cases;
    private final List<CheckedPath> paths;
    private final Map<CheckedPath, Map<String, Verdict>> found = new EnumMap<>(CheckedPath.class);
    private final Map<CheckedPath, String> broken = new EnumMap<>(CheckedPath.class);

    public PathVerdicts(List<ConformanceCase> cases, List<CheckedPath> paths) {
        this.cases = List.copyOf(cases);
        this.paths = List.copyOf(paths);
        paths.forEach(path -> found.put(path, new HashMap<>()));
    }

    void add(CheckedPath path, String name, Verdict verdict) {
        onPath(path).put(name, verdict);
    }

    /** The program on {@code path} ended otherwise than it should: {@code how}. */
    void ended(CheckedPath path, String how) {
        broken.put(path, how);
    }

    public List<ConformanceCase> cases() {
        return cases;
    }

    public List<CheckedPath> paths() {
        return paths;
    }

    public Verdict of(CheckedPath path, ConformanceCase one) {
        return onPath(path).getOrDefault(one.name(), MISSING);
    }

    private Map<String, Verdict> onPath(CheckedPath path) {
        return found.computeIfAbsent(path, p -> new HashMap<>());
    }

    public boolean allPassed() {
        return broken.isEmpty()
                && paths.stream()
                        .allMatch(
                                path -> cases.stream().allMatch(c -> of(path, c).passed()));
    }

    /** One row for each case, one column for each path. */
    public Table table() {
        List<String> columns = new ArrayList<>(List.of("CASE"));
        paths.forEach(path -> columns.add(path.word().toUpperCase(Locale.ROOT)));
        Table table = new Table("hv.check/1", "cases", columns.toArray(String[]::new));
        for (ConformanceCase one : cases) {
            List<Object> cells = new ArrayList<>(List.of(one.name()));
            paths.forEach(path -> cells.add(of(path, one).word()));
            table.row(cells.toArray());
        }
        return table;
    }

    /** What went wrong, with the rule that does not hold; then the line that sums up. */
    public List<String> sentences() {
        List<String> lines = new ArrayList<>();
        int failed = 0;
        for (ConformanceCase one : cases) {
            for (CheckedPath path : paths) {
                Verdict verdict = of(path, one);
                if (!verdict.passed()) {
                    failed++;
                    lines.add("FAIL " + one.name() + " on " + path.word() + ": " + verdict.reason());
                    lines.add("     rule: " + one.rule());
                }
            }
        }
        broken.forEach((path, how) -> lines.add("the program on " + path.word() + " " + how));
        String what = count(cases.size(), "case") + " on " + count(paths.size(), "path");
        lines.add(what + ": " + (allPassed() ? "all passed" : failed + " failed"));
        return lines;
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    public ObjectNode json() {
        ObjectNode object = Json.object().put("schema", "hv.check/1");
        ArrayNode names = object.putArray("paths");
        paths.forEach(path -> names.add(path.word()));
        object.put("passed", allPassed());
        ArrayNode rows = object.putArray("cases");
        for (ConformanceCase one : cases) {
            ObjectNode row = rows.addObject();
            row.put("case", one.name()).put("group", one.group()).put("rule", one.rule());
            ObjectNode verdicts = row.putObject("verdicts");
            for (CheckedPath path : paths) {
                Verdict verdict = of(path, one);
                ObjectNode cell = verdicts.putObject(path.word()).put("passed", verdict.passed());
                if (!verdict.passed()) {
                    cell.put("reason", verdict.reason());
                }
            }
        }
        ObjectNode ends = object.putObject("broken");
        broken.forEach((path, how) -> ends.put(path.word(), how));
        return object;
    }
}
