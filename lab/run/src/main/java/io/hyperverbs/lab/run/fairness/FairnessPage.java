package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import java.util.List;
import java.util.Locale;

/** The matrix as a page with everything in it: no script, no font, nothing to fetch. */
final class FairnessPage {
    private static final String HEAD = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Hyperverbs fairness</title>
        <style>
        :root{color-scheme:light dark}
        body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
        table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
        th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #8884}
        th:first-child,td:first-child{text-align:left}
        .low{background:#d334}
        .wide{overflow-x:auto}
        </style></head><body>
        <h1>Victims beside attackers</h1>
        """;

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
        StringBuilder html = new StringBuilder(HEAD);
        html.append("<p>").append(escape(origin)).append("</p>\n");
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
            html.append("<p>").append(escape(line));
            html.append("</p>\n");
        }
        return html.append("</body></html>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static void cell(StringBuilder html, Matrix.Cell cell) {
        html.append(cell.isFair() ? "<td>" : "<td class=\"low\">");
        html.append(String.format(
                Locale.ROOT, "%.2f (p99 %.1f us, %.1fx)</td>", cell.share(), cell.p99Micros(), cell.tail()));
    }
}
