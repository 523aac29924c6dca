package io.hyperverbs.toolstack.topology;

import java.util.ArrayList;
import java.util.List;

/** Quotas of all domains together must fit into the card (design.md 7). */
final class QuotaSums {
    private static final List<String> LIMITED = List.of("qp", "cq", "mr", "pd", "mw");

    /** Takes what is wrong and where. */
    interface Report {
        void problem(String pointer, String what, String hint);
    }

    private QuotaSums() {}

    static void check(Card card, List<Guest> guests, Report report) {
        for (String key : LIMITED) {
            long sum = 0;
            List<String> parts = new ArrayList<>();
            String last = "";
            for (Guest guest : guests) {
                Long quota = guest.quota().get(key);
                if (quota != null) {
                    sum += quota;
                    parts.add(guest.name() + " " + quota);
                    last = guest.name();
                }
            }
            if (sum > card.limitOf(key)) {
                report.problem(
                        "/guests/" + last + "/quota/" + key,
                        "quotas of "
                                + key
                                + " add up to "
                                + String.join(" + ", shortened(parts))
                                + " = "
                                + sum
                                + ", the card has "
                                + card.limitOf(key),
                        "lower them or raise hca.limits.max-" + Card.limitName(key));
            }
        }
    }

    private static List<String> shortened(List<String> parts) {
        int shown = 4;
        if (parts.size() <= shown) {
            return parts;
        }
        List<String> few = new ArrayList<>(parts.subList(0, shown));
        few.add((parts.size() - shown) + " more");
        return few;
    }
}
