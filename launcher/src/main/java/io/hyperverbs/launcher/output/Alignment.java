package io.hyperverbs.launcher.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cells as columns of text. Where they are wider than there is room, columns fall away in a given
 * order, and then wide text is folded between words.
 */
final class Alignment {
    private static final String GAP = "  ";

    /** Text is folded to no less than this: columns of few words fall away instead. */
    private static final int FOLD_TO = 32;

    private final List<String> columns;
    private final List<List<String>> rows;
    private final boolean[] right;
    private final int[] widths;
    private final boolean[] kept;

    /**
     * @param right which columns are aligned to the right: those of numbers
     * @param dropFirst columns in the order in which they fall away
     * @param width room for a line, in characters
     */
    Alignment(List<String> columns, List<List<String>> rows, boolean[] right, List<String> dropFirst, int width) {
        this.columns = columns;
        this.rows = rows;
        this.right = right;
        this.widths = new int[columns.size()];
        this.kept = new boolean[columns.size()];
        Arrays.fill(kept, true);
        int[] least = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = columns.get(i).length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
            least[i] = Math.min(widths[i], Math.max(FOLD_TO, longestWord(i)));
        }
        for (String column : dropFirst) {
            if (total(least) > width) {
                kept[columns.indexOf(column)] = false;
            }
        }
        fold(least, width);
    }

    /** The columns that fell away. */
    List<String> leftOut() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < kept.length; i++) {
            if (!kept[i]) {
                names.add(columns.get(i));
            }
        }
        return names;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        append(text, columns);
        rows.forEach(row -> append(text, row));
        return text.toString();
    }

    /** Takes from the widest column until all fit, or none has more to give. */
    private void fold(int[] least, int width) {
        for (int over = total(widths) - width; over > 0; over--) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                if (kept[i] && widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return;
            }
            widths[widest]--;
        }
    }

    private int total(int[] of) {
        int total = -GAP.length();
        for (int i = 0; i < of.length; i++) {
            total += kept[i] ? of[i] + GAP.length() : 0;
        }
        return total;
    }

    private int longestWord(int column) {
        int longest = columns.get(column).length();
        for (List<String> row : rows) {
            for (String word : row.get(column).split(" ")) {
                longest = Math.max(longest, word.length());
            }
        }
        return longest;
    }

    private void append(StringBuilder text, List<String> cells) {
        List<List<String>> folded = new ArrayList<>();
        int height = 1;
        for (int i = 0; i < widths.length; i++) {
            folded.add(kept[i] ? Fold.lines(cells.get(i), widths[i]) : List.of());
            height = Math.max(height, folded.get(i).size());
        }
        for (int at = 0; at < height; at++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                if (kept[i]) {
                    String cell = at < folded.get(i).size() ? folded.get(i).get(at) : "";
                    String padding = " ".repeat(Math.max(0, widths[i] - cell.length()));
                    line.append(right[i] ? padding + cell : cell + padding).append(GAP);
                }
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }
}
