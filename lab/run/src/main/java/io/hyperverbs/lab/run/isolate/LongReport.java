package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.run.isolate.IsolationResult.Verdict;
import io.hyperverbs.lab.run.report.HtmlPage;
import io.hyperverbs.launcher.failure.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The report of a long run, in Markdown, written anew after each result: a run that is interrupted
 * leaves what it has found. No failure in N trials is a 95 % upper bound of 3/N for a trial.
 */
public final class LongReport {
    private static final Pattern COUNT = Pattern.compile("(\\d+) (x|times|tries|torn|requests)\\b");

    private final Path file;
    private final List<IsolationResult> results = new ArrayList<>();
    private String head = "";
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private final List<Long> cleanedMillis = new ArrayList<>();
    private long failedKills;
    private final List<String> soak = new ArrayList<>();
    private ExitCode soakCode = ExitCode.OK;

    /** All runs of one attack. */
    private static final class Tally {
        final String rows;
        final TreeSet<Long> seeds = new TreeSet<>();
        final List<String> failures = new ArrayList<>();
        long runs;
        long trials;
        String last = "";

        Tally(String rows) {
            this.rows = rows;
        }
    }

    public LongReport(Path file) {
        this.file = file;
    }

    /** Says what was run and where, in one line. */
    public void head(String line) {
        head = line;
    }

    /** What all results together mean, and those of kills and of the soak. */
    public ExitCode exitCode() {
        ExitCode attacks = failedKills > 0 ? ExitCode.BREACH : IsolationRun.exitCode(results);
        return attacks == ExitCode.BREACH || soakCode == ExitCode.OK ? attacks : soakCode;
    }

    /** Where the page of a report lies: beside it. */
    public static Path page(Path file) {
        return beside(file, ".html");
    }

    /** Where the log of a run lies from which it can go on. */
    public static Path log(Path file) {
        return beside(file, ".jsonl");
    }

    private static Path beside(Path file, String ending) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
        return file.resolveSibling(name + ending);
    }

    /** Takes the result of one attack with the dice of {@code seed}. */
    public void add(IsolationResult result, long seed) throws IOException {
        Tally tally = tallies.computeIfAbsent(
                result.attack().name(), _ -> new Tally(result.attack().rowText()));
        results.add(result);
        tally.runs++;
        tally.seeds.add(seed);
        tally.last = result.observed();
        if (result.verdict() == Verdict.CONTAINED) {
            tally.trials += trials(result.observed());
        } else {
            tally.failures.add("seed " + seed + ", " + result.verdict().word() + ": " + result.observed());
        }
        write();
    }

    /**
     * Takes one guest that was killed.
     *
     * @param millis until all it had was free again; negative if anything was wrong afterwards
     */
    public void killed(long millis) throws IOException {
        if (millis < 0) {
            failedKills++;
        } else {
            cleanedMillis.add(millis);
        }
        write();
    }

    /**
     * Takes a soak.
     *
     * @param lines what became of it
     * @param code what that means
     */
    public void soaked(List<String> lines, ExitCode code) throws IOException {
        soak.addAll(lines);
        soakCode = code;
        write();
    }

    /** How many single things an attack has tried, as it says; one if it does not. */
    static long trials(String observed) {
        long sum = 0;
        Matcher counts = COUNT.matcher(observed);
        while (counts.find()) {
            sum += Long.parseLong(counts.group(1));
        }
        return Math.max(1, sum);
    }

    /** The p-th percentile of the times it took to clean up, in milliseconds. */
    long cleanedMillis(int percentile) {
        long[] sorted =
                cleanedMillis.stream().mapToLong(Long::longValue).sorted().toArray();
        int at = (int) Math.ceil(sorted.length * percentile / 100.0) - 1;
        return sorted.length == 0 ? 0 : sorted[Math.clamp(at, 0, sorted.length - 1)];
    }

    /** All of it, with its last line ended. */
    public String text() {
        StringBuilder text = new StringBuilder("# Isolation, long run\n\n");
        text.append(head).append("\n\n");
        text.append("No failure in N trials gives a 95 % upper bound of 3/N for each.\n\n");
        text.append("| attack | rows | seeds | runs | trials | failures | bound |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        tallies.forEach((attack, tally) -> row(
                text,
                "`" + attack + "`",
                tally.rows,
                tally.seeds.size(),
                tally.runs,
                tally.trials,
                tally.failures.size(),
                bound(tally.failures.size(), tally.trials)));
        kills(text);
        tallies.forEach((attack, tally) -> tally.failures.forEach(failure -> text.append("\n- `")
                .append(attack)
                .append("`, ")
                .append(failure)
                .append('\n')));
        if (!soak.isEmpty()) {
            text.append("\n## Soak\n\n");
            soak.forEach(line -> text.append("- ").append(line).append('\n'));
        }
        return text.toString();
    }

    /** The same as a page. */
    public String html() {
        StringBuilder html = new StringBuilder("<h1>Isolation, long run</h1>\n<p>");
        html.append(HtmlPage.escape(head)).append("</p>\n");
        html.append("<p>No failure in N trials gives a 95 % upper bound of 3/N for each.</p>\n");
        html.append("<div class=\"wide\"><table><thead><tr>");
        cells(html, "th", "attack", "rows", "seeds", "runs", "trials", "failures", "bound");
        html.append("<th class=\"text\">last seen</th></tr></thead><tbody>\n");
        tallies.forEach((attack, tally) -> {
            html.append("<tr>");
            cells(html, "td", attack, tally.rows, "" + tally.seeds.size());
            cells(html, "td", "" + tally.runs, "" + tally.trials);
            html.append(tally.failures.isEmpty() ? "<td class=\"good\">" : "<td class=\"bad\">");
            html.append(tally.failures.size()).append("</td>");
            cells(html, "td", bound(tally.failures.size(), tally.trials));
            html.append("<td class=\"text\">").append(HtmlPage.escape(tally.last));
            html.append("</td></tr>\n");
        });
        html.append("</tbody></table></div>\n");
        StringBuilder killed = new StringBuilder();
        kills(killed);
        html.append("<p>").append(HtmlPage.escape(killed.toString().strip())).append("</p>\n");
        tallies.forEach((attack, tally) -> tally.failures.forEach(failure -> html.append("<p class=\"bad\">")
                .append(HtmlPage.escape(attack + ", " + failure))
                .append("</p>\n")));
        if (!soak.isEmpty()) {
            html.append("<h2>Soak</h2>\n");
            soak.forEach(
                    line -> html.append("<p>").append(HtmlPage.escape(line)).append("</p>\n"));
        }
        return HtmlPage.of("Isolation, long run", html.toString());
    }

    private static void cells(StringBuilder html, String tag, String... texts) {
        for (String text : texts) {
            html.append('<').append(tag).append('>').append(HtmlPage.escape(text));
            html.append("</").append(tag).append('>');
        }
    }

    private void kills(StringBuilder text) {
        long all = cleanedMillis.size() + failedKills;
        if (all == 0) {
            return;
        }
        text.append("\nGuests killed amid an attack: ").append(all).append(", of which not clean ");
        text.append(failedKills).append(", bound ").append(bound(failedKills, all));
        text.append("; all free after ").append(cleanedMillis(50)).append(" ms (median), ");
        text.append(cleanedMillis(99)).append(" ms (p99), ");
        text.append(cleanedMillis(100)).append(" ms (max).\n");
    }

    private static String bound(long failures, long trials) {
        return failures > 0 || trials == 0 ? "-" : String.format(Locale.ROOT, "%.1e", Math.min(1, 3.0 / trials));
    }

    private static void row(StringBuilder text, Object... cells) {
        Arrays.stream(cells).forEach(cell -> text.append("| ").append(cell).append(' '));
        text.append("|\n");
    }

    private void write() throws IOException {
        Files.writeString(file, text());
        Files.writeString(page(file), html());
    }
}
