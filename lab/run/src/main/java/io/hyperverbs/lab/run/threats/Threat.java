package io.hyperverbs.lab.run.threats;

import java.util.List;
import java.util.Objects;

/**
 * One row of the list of threats.
 *
 * @param attack what an attacker does, in one line
 * @param outcome what must be seen
 * @param from the published bug or paper it comes from
 * @param tests what shows it in each build: {@code Class}, {@code Class#method}, or a conformance
 *     case {@code group.name}
 * @param waits why it cannot be shown yet; else empty
 * @param doesNotApply why it never will; else empty
 */
public record Threat(
        String attack, String outcome, String from, List<String> tests, String waits, String doesNotApply) {
    public Threat {
        Objects.requireNonNull(attack, "attack");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(from, "from");
        tests = tests == null ? List.of() : List.copyOf(tests);
        waits = waits == null ? "" : waits;
        doesNotApply = doesNotApply == null ? "" : doesNotApply;
    }

    /** Why nothing shows it, or empty. */
    public String reason() {
        if (!waits.isEmpty()) {
            return "waits: " + waits;
        }
        return doesNotApply.isEmpty() ? "" : "does not apply: " + doesNotApply;
    }
}
