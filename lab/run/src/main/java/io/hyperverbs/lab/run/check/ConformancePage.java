package io.hyperverbs.lab.run.check;

import io.hyperverbs.lab.conformance.ConformanceCase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page {@code docs/conformance.md}: what failed, and how many cases of each group passed. */
public final class ConformancePage {
    private ConformancePage() {}

    /** The page, with its last line ended. */
    public static String of(PathVerdicts verdicts) {
        StringBuilder page = new StringBuilder();
        page.append("# Conformance\n\n");
        page.append("Written by `hv check --conformance --markdown`; verdicts are those of that run.\n");
        page.append("Choices behind rules that say so: [deviations.md](deviations.md).\n\n");
        page.append("Details: `hv check --conformance --list` prints each case with its rule,\n");
        page.append("`hv check --conformance GROUP` or `CASE` runs some, `--format json` has all verdicts.\n");
        appendFailures(page, verdicts);
        appendGroups(page, verdicts);
        return page.toString();
    }

    private static void appendFailures(StringBuilder page, PathVerdicts verdicts) {
        page.append("\n## What failed\n\n");
        List<String> sentences = verdicts.sentences();
        if (verdicts.allPassed()) {
            page.append("Nothing. ");
        } else {
            page.append("```\n");
            sentences
                    .subList(0, sentences.size() - 1)
                    .forEach(line -> page.append(line).append('\n'));
            page.append("```\n\n");
        }
        page.append(sentences.getLast()).append(".\n");
    }

    private static void appendGroups(StringBuilder page, PathVerdicts verdicts) {
        Map<String, List<ConformanceCase>> groups = new LinkedHashMap<>();
        verdicts.cases()
                .forEach(one -> groups.computeIfAbsent(one.group(), any -> new ArrayList<>())
                        .add(one));
        page.append("\n## Groups\n\nCases, and how many of them passed on each path.\n\n| group | cases |");
        verdicts.paths().forEach(path -> page.append(' ').append(path.word()).append(" |"));
        page.append("\n|---|---:|")
                .append("---:|".repeat(verdicts.paths().size()))
                .append('\n');
        groups.forEach((group, cases) -> appendRow(page, group, cases, verdicts));
        appendRow(page, "all", verdicts.cases(), verdicts);
    }

    private static void appendRow(
            StringBuilder page, String group, List<ConformanceCase> cases, PathVerdicts verdicts) {
        page.append("| ").append(group).append(" | ").append(cases.size()).append(" |");
        for (CheckedPath path : verdicts.paths()) {
            long passed = cases.stream()
                    .filter(one -> verdicts.of(path, one).passed())
                    .count();
            page.append(' ').append(passed).append(" |");
        }
        page.append('\n');
    }
}
