package io.hyperverbs.launcher.output;

import java.util.ArrayList;
import java.util.List;

/** Breaks lines between words, never inside one. Stateless. */
public final class Fold {
    private static final int HANGING = 4;

    private Fold() {}

    /**
     * The lines of {@code text} at most {@code width} wide; a word that is wider has a line of its
     * own and sticks out.
     */
    static List<String> lines(String text, int width) {
        if (text.length() <= width) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString().stripTrailing());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    /** Text of several lines; what does not fit goes on below, further to the right. */
    public static String hanging(String text, int width) {
        StringBuilder folded = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            folded.append(folded.isEmpty() ? "" : "\n");
            if (line.length() <= width) {
                folded.append(line);
                continue;
            }
            String indent = " ".repeat(line.length() - line.stripLeading().length());
            String next = "\n" + indent + " ".repeat(HANGING);
            int room = Math.max(1, width - indent.length() - HANGING);
            folded.append(indent).append(String.join(next, lines(line.strip(), room)));
        }
        return folded.toString();
    }
}
