package io.hyperverbs.lab.run.check;

import io.hyperverbs.lab.conformance.ConformanceCase;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes verdicts as the page {@code docs/conformance.md}. */
public final class ConformancePage {
    private ConformancePage() {}

    /** The page, with its last line ended. */
    public static String of(PathVerdicts verdicts) {
        StringBuilder page = new StringBuilder();
        page.append("# Conformance\n\n");
        page.append("Written by `hv check --conformance --markdown`; verdicts are those of that" + " run.\n");
        page.append("Choices behind rules that say so: [deviations.md](deviations.md).\n\n");
        page.append(verdicts.sentences().getLast()).append(".\n\n");
        appendGroups(page, verdicts);
        appendCases(page, verdicts);
        return page.toString();
    }

    private static void appendGroups(StringBuilder page, PathVerdicts verdicts) {
        Map<String, Integer> groups = new LinkedHashMap<>();
        verdicts.cases().forEach(one -> groups.merge(one.group(), 1, Integer::sum));
        page.append("## Groups\n\n| group | cases |\n|---|---:|\n");
        groups.forEach((group, count) ->
                page.append("| ").append(group).append(" | ").append(count).append(" |\n"));
        page.append("| all | ").append(verdicts.cases().size()).append(" |\n");
    }

    private static void appendCases(StringBuilder page, PathVerdicts verdicts) {
        page.append("\n## Cases\n\n| case |");
        verdicts.paths().forEach(path -> page.append(' ').append(path.word()).append(" |"));
        page.append(" rule |\n|---|");
        page.append("---|".repeat(verdicts.paths().size())).append("---|\n");
        for (ConformanceCase one : verdicts.cases()) {
            page.append("| `").append(one.name()).append("` |");
            for (CheckedPath path : verdicts.paths()) {
                page.append(' ').append(verdicts.of(path, one).word()).append(" |");
            }
            page.append(' ').append(one.rule().replace("|", "\\|")).append(" |\n");
        }
    }
}
