package io.hyperverbs.toolstack.isolate.run;

import io.hyperverbs.toolstack.isolate.IsolationCase;

import java.util.List;
import java.util.Locale;

/** The page docs/threats.md. */
public final class ThreatsPage {
    private ThreatsPage() {}

    /** In Markdown, with its last line ended. */
    public static String of(List<IsolationResult> results) {
        StringBuilder page = new StringBuilder();
        page.append("# Threats\n\n")
                .append("Written by `hv isolate --markdown`; verdicts are those of that run.\n\n")
                .append("Each attack is a hostile guest process below the verbs library, against ")
                .append("two victims with traffic. After each, the victims'\n")
                .append("traffic goes on with every byte right, nobody else has ended, and the ")
                .append("objects on the card are those of before.\n\n")
                .append("Not promised: side channels, power loss, bugs of the shared kernel, ")
                .append("anything without a sandbox (tier 0).\n\n")
                .append("| row | attack | what it does | from | expected | observed | verdict |\n")
                .append("|---|---|---|---|---|---|---|\n");
        for (IsolationResult result : results) {
            IsolationCase one = result.attack();
            row(
                    page,
                    one.row(),
                    "`" + one.name() + "`",
                    one.does(),
                    one.anchor(),
                    one.expected(),
                    result.observed(),
                    result.verdict().name().toLowerCase(Locale.ROOT));
        }
        return page.toString();
    }

    private static void row(StringBuilder page, String... cells) {
        for (String cell : cells) {
            page.append("| ").append(cell.replace("|", "\\|")).append(' ');
        }
        page.append("|\n");
    }
}
