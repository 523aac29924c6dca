package io.hyperverbs.launcher.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.launcher.output.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link, which the HCA has that its packets arrive at: what is set for it, and what became of
 * packets while something was set.
 *
 * @param link its name in the topology
 * @param from name of the HCA that sends
 * @param to name of the HCA that receives
 * @param settings null if one of the two HCAs is gone
 * @param counts of {@link #COUNTS}, in their order, over all pairs of ports; empty if an HCA is gone
 */
public record LinkDirection(
        String link, String from, String to, @Nullable LinkSettings settings, List<Long> counts) {
    /** What is counted. */
    static final List<Field> COUNTS = List.of(
            Field.PACKETS,
            Field.DOWN_DROPS,
            Field.LOSSES,
            Field.QUEUE_DROPS,
            Field.DELAY_DROPS,
            Field.DUPLICATES,
            Field.CORRUPTIONS,
            Field.REORDERINGS,
            Field.MARKS);

    /** Settings as topologies call them, but for {@code down}, which is the link's state. */
    private static final List<String> SETTINGS =
            List.of("loss", "duplicate", "corrupt", "reorder", "delay", "jitter", "rate", "queue", "ecn", "seed");

    public LinkDirection {
        counts = List.copyOf(counts);
    }

    /**
     * Reads one direction.
     *
     * @param sender the HCA called {@code from}
     * @param receiver the HCA called {@code to}
     */
    public static LinkDirection read(String link, String from, HcaView sender, String to, HcaView receiver) {
        return sender.isThere()
                ? read(link, from, sender.addresses(), to, receiver)
                : new LinkDirection(link, from, to, null, List.of());
    }

    /**
     * Reads one direction.
     *
     * @param addresses of the ports of the HCA called {@code from}, which may be on another host
     * @param receiver the HCA called {@code to}
     */
    public static LinkDirection read(String link, String from, List<Integer> addresses, String to, HcaView receiver) {
        if (!receiver.isThere()) {
            return new LinkDirection(link, from, to, null, List.of());
        }
        List<Long> entries = receiver.entries(Table.LINK).stream()
                .filter(entry ->
                        addresses.contains((int) LinkContextLayout.get(receiver.memory(), entry, Field.ADDRESS)))
                .toList();
        // All pairs of ports have the same settings.
        LinkSettings settings =
                entries.isEmpty() ? LinkSettings.none() : LinkSettings.read(receiver.memory(), entries.getFirst());
        List<Long> counts = COUNTS.stream()
                .map(field -> entries.stream()
                        .mapToLong(entry -> LinkContextLayout.get(receiver.memory(), entry, field))
                        .sum())
                .toList();
        return new LinkDirection(link, from, to, settings, counts);
    }

    /** One row for each. */
    public static Listing list(List<LinkDirection> directions) {
        List<String> columns = new ArrayList<>(List.of("link", "from", "to", "state"));
        columns.addAll(SETTINGS);
        COUNTS.forEach(field -> columns.add(field.name().toLowerCase(Locale.ROOT)));
        Listing listing = new Listing("hv.link/1", "links", columns);
        directions.forEach(direction -> listing.row(direction.row()));
        return listing;
    }

    private List<@Nullable Object> row() {
        List<@Nullable Object> row = new ArrayList<>(List.of(link, from, to, state()));
        Map<String, String> words = settings == null ? Map.of() : settings.words();
        SETTINGS.forEach(key -> row.add(words.get(key)));
        for (int i = 0; i < COUNTS.size(); i++) {
            row.add(counts.isEmpty() ? null : counts.get(i));
        }
        return row;
    }

    private String state() {
        return settings == null ? "GONE" : settings.isDown() ? "DOWN" : "UP";
    }
}
