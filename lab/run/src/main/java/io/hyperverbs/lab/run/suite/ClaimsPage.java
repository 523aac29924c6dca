package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.report.Origin;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The claims and their verdicts as a page of Markdown. */
public final class ClaimsPage {
    /** From here other work was on the cores of more rounds than happens on any computer. */
    private static final double DISTURBED_CORES = 0.3;

    private static final String HELD = "| **" + ClaimVerdict.Outcome.HELD.word() + "**";
    private static final String NOT_HELD = "| **" + ClaimVerdict.Outcome.NOT_HELD.word() + "**";

    private ClaimsPage() {}

    /**
     * The page.
     *
     * @param earlier an earlier page, whose rows stay where this run measured nothing; or empty
     */
    public static String of(SuiteResult result, Origin origin, String earlier) {
        List<String> rows = result.verdicts().stream()
                .map(verdict -> row(verdict, origin, earlier))
                .toList();
        StringBuilder page = new StringBuilder("# Claims of the papers, and what this system makes of them\n\n");
        page.append(
                "Written by `hv bench suite --claims docs/claims.md`; [bench.md](bench.md#the-papers-evaluation) says"
                    + " how it measures. Each ratio is the median over the rounds of the ratio of values of the same"
                    + " round, ± half the distance of its quartiles. A claim is held, or not, if the ratio with its"
                    + " spread lies on one side of the bound; where the rounds spread by more than a quarter of it, if"
                    + " all of them do. What is disturbed or of too few rounds is no result.\n\n");
        page.append(String.format(
                Locale.ROOT,
                "Of %d claims of the papers, %d held, %d did not, %d are without result.%n%n",
                rows.size(),
                count(rows, HELD),
                count(rows, NOT_HELD),
                rows.size() - count(rows, HELD) - count(rows, NOT_HELD)));
        page.append("| claim | in the paper | ratio | paper | here | bound | verdict | figure | measured |\n");
        page.append("|---|---|---|---|---|---|---|---|---|\n");
        rows.forEach(row -> page.append(row).append('\n'));
        page.append("\nThe last run was on ")
                .append(origin.began().toLocalDate())
                .append(", `");
        page.append(origin.commandLine().replace("`", "")).append("`; rows of other figures are of runs before. ");
        page.append(disturbance(result)).append(' ');
        page.append(SuiteWords.computer(result)).append("\n\n");
        page.append(
                "IP over InfiniBand by datagrams, half round trips of it and what is claimed without a figure are in"
                        + " [papers.md](papers.md), and which claims were not asked, and why.\n");
        return page.toString();
    }

    private static long count(List<String> rows, String word) {
        return rows.stream().filter(row -> row.contains(word)).count();
    }

    /** That of the earlier page, if it has one and this run has not. */
    private static String row(ClaimVerdict verdict, Origin origin, String earlier) {
        Optional<String> before = earlier.lines()
                .filter(line -> line.startsWith("| " + verdict.claim().text() + " | "))
                .findFirst();
        return verdict.ratio() == null && before.isPresent() ? before.get() : line(verdict, origin);
    }

    private static String disturbance(SuiteResult result) {
        StringBuilder text = new StringBuilder();
        if (result.quick()) {
            text.append("This run was `--quick`, which is too short for claims: its JVMs had little warm-up. ");
        }
        text.append(
                result.otherCores() > DISTURBED_CORES
                        ? String.format(
                                Locale.ROOT,
                                "The computer was disturbed: other work used %.1f cores on average.",
                                result.otherCores())
                        : "Other work hardly used the computer meanwhile.");
        return text.toString();
    }

    private static String line(ClaimVerdict verdict, Origin origin) {
        Claim claim = verdict.claim();
        FigureRatio ratio = verdict.ratio();
        String at = ratio == null || ratio.cell().x() == 0
                ? ""
                : " " + Numbers.axis(ratio.cell().x());
        String word = verdict.outcome().word();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s / %s of %s%s | %s | %s | %s | %s | `%s` | %s |",
                claim.text(),
                claim.section(),
                claim.series(),
                claim.over(),
                claim.what(),
                at,
                claim.paper(),
                verdict.shown(),
                claim.bound(),
                (verdict.outcome() == ClaimVerdict.Outcome.NO_RESULT ? word : "**" + word + "**") + verdict.remark(),
                "hv bench suite --figure " + claim.figure(),
                ratio == null ? "-" : origin.began().toLocalDate());
    }
}
