package io.hyperverbs.lab.bench.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * What a domain does in a row of {@code hv bench bw --pattern} or {@code lat --pattern}, as the toolstack writes it into
 * the store.
 *
 * @param session number by which all domains of the row know the keys of the points where they meet
 * @param timed whether each message is timed, of which each link has one under way
 * @param others all other domains of the row
 * @param links those of the domain, in the order that all domains have them in
 */
public record PatternRound(int session, boolean timed, List<String> others, List<Link> links) {
    private static final String TIMED = "timed";
    private static final String UNTIMED = "untimed";

    /**
     * Messages in one direction.
     *
     * @param peer where they go to, or come from
     * @param round this domain's side of it: the active one sends
     */
    public record Link(String peer, PerfRound round) {}

    public PatternRound {
        others = List.copyOf(others);
        links = List.copyOf(links);
    }

    /** One line; {@link #parse} reads it back. */
    public String format() {
        StringBuilder line = new StringBuilder();
        line.append(session).append(' ').append(timed ? TIMED : UNTIMED);
        line.append(' ').append(String.join(",", others));
        for (Link link : links) {
            line.append(';').append(link.peer).append(' ').append(link.round.format());
        }
        return line.toString();
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static PatternRound parse(String line) {
        String[] parts = line.strip().split(";", -1);
        String[] head = parts[0].split(" ", -1);
        if (head.length != 3 || parts.length < 2) {
            throw new IllegalArgumentException("not a row of a pattern: " + line);
        }
        List<Link> links = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            int space = parts[i].indexOf(' ');
            if (space <= 0) {
                throw new IllegalArgumentException("not a link of a pattern: " + parts[i]);
            }
            links.add(new Link(parts[i].substring(0, space), PerfRound.parse(parts[i].substring(space + 1))));
        }
        return new PatternRound(
                Integer.parseInt(head[0]), head[1].equals(TIMED), List.of(head[2].split(",", -1)), links);
    }
}
