package io.hyperverbs.lab.dsm.perf;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One figure as programs of nodes print it for programs: {@code dsm: read fault, owner: write: 65536: 22.230}.
 *
 * @param what is measured
 * @param kind of it, or its unit
 * @param x bytes or nodes; 0 for what has none
 */
public record DsmLine(String what, String kind, int x, double value) {
    /** From its home, of a node that waits asleep, in us; kinds are the contexts of handling. */
    public static final String LOCK = "lock";

    /** Of a minipage that its owner has alone, in us by bytes; kinds are how the data goes. */
    public static final String OWNER_FAULT = "read fault, owner";

    /** Of a minipage that another node has a copy of. */
    public static final String SHARED_FAULT = "read fault, shared";

    public static final String MILLIS = "ms";

    /** Of all nodes. */
    public static final String MESSAGES = "messages";

    /** Of minipages, in messages, written and read, to all nodes. */
    public static final String KIB = "KiB";

    private static final Pattern LINE =
            Pattern.compile("dsm: ([^:]+): ([^:]+): ([0-9]{1,9}): ([0-9]{1,12}\\.[0-9]{1,6})");

    /** As it is printed. */
    public String text() {
        return String.format(Locale.ROOT, "dsm: %s: %s: %d: %.3f", what, kind, x, value);
    }

    /** What a line says, if it is one. */
    public static Optional<DsmLine> of(String line) {
        Matcher found = LINE.matcher(line.strip());
        return found.matches()
                ? Optional.of(new DsmLine(
                        found.group(1),
                        found.group(2),
                        Integer.parseInt(found.group(3)),
                        Double.parseDouble(found.group(4))))
                : Optional.empty();
    }
}
