package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.lab.run.report.HtmlPage;
import java.util.List;
import java.util.Locale;

/** The matrix as a page. */
final class FairnessPage {
    private final Matrix matrix;
    private final List<String> sentences;
    private final String origin;

    /**
     * @param origin when and by which command line, plain text
     */
    FairnessPage(Matrix matrix, List<String> sentences, String origin) {
        this.matrix = matrix;
        this.sentences = sentences;
        this.origin = origin;
    }

    String render() {
        StringBuilder html = new StringBuilder("<h1>Victims beside attackers</h1>\n<p>");
        html.append(HtmlPage.escape(origin)).append("</p>\n");
        html.append("<div class=\"wide\"><table><thead><tr><th>attacker</th>");
        for (Victim victim : matrix.plan().victims()) {
            html.append("<th title=\"").append(victim.does()).append("\">");
            html.append(victim.word()).append("</th>");
        }
        html.append("</tr></thead><tbody>\n");
        for (Attacker attacker : matrix.plan().attackers()) {
            html.append("<tr><td>").append(attacker.word()).append(": ");
            html.append(attacker.does()).append("</td>");
            matrix.plan().victims().forEach(victim -> cell(html, matrix.cell(attacker, victim)));
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n");
        for (String line : sentences) {
            html.append("<p>").append(HtmlPage.escape(line)).append("</p>\n");
        }
        return HtmlPage.of("Hyperverbs fairness", html.toString());
    }

    private static void cell(StringBuilder html, Matrix.Cell cell) {
        html.append(cell.isFair() ? "<td>" : "<td class=\"bad\">");
        html.append(String.format(
                Locale.ROOT, "%.2f (p99 %.1f us, %.1fx)</td>", cell.share(), cell.p99Micros(), cell.tail()));
    }
}
