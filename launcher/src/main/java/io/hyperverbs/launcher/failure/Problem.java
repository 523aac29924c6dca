package io.hyperverbs.launcher.failure;

/**
 * One thing that is wrong.
 *
 * @param file where, or empty
 * @param line from 1, or 0 if no line is concerned
 * @param path JSON path such as {@code guests.a.memory}, or empty
 * @param what what was found, and what was allowed
 * @param hint what to do about it, or empty
 */
public record Problem(String file, int line, String path, String what, String hint) {
    public static Problem of(String what, String hint) {
        return new Problem("", 0, "", what, hint);
    }

    /** As printed after {@code hv: }: {@code <file>:<line>: <what>; <hint>}. */
    public String text() {
        StringBuilder all = new StringBuilder();
        if (!file.isEmpty()) {
            all.append(file).append(':');
            if (line > 0) {
                all.append(line).append(':');
            }
            all.append(' ');
        }
        all.append(what);
        if (!hint.isEmpty()) {
            all.append("; ").append(hint);
        }
        return all.toString().replaceAll("\\s*\\R\\s*", " ");
    }
}
