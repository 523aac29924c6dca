package io.hyperverbs.launcher.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Quotas of all domains together must fit into the HCA (design.md 7). */
final class QuotaSums {
    private static final List<String> LIMITED = List.of("qp", "cq", "mr", "pd", "mw");

    /** Takes what is wrong and where. */
    interface Report {
        void problem(String pointer, String what, String hint);
    }

    private QuotaSums() {}

    static void check(HcaSpec hca, List<Guest> guests, Report report) {
        for (String key : LIMITED) {
            long sum = 0;
            List<String> parts = new ArrayList<>();
            String last = "";
            for (Guest guest : guests) {
                Long quota = guest.quota().get(key);
                if (quota != null) {
                    sum += quota;
                    parts.add(guest.name() + ": " + quota);
                    last = guest.name();
                }
            }
            if (sum > hca.limitOf(key)) {
                report.problem(
                        "/guests/" + last + "/quota/" + key,
                        key.toUpperCase(Locale.ROOT)
                                + " quotas add up to "
                                + sum
                                + " ("
                                + String.join(", ", shortened(parts))
                                + "); the HCA has "
                                + hca.limitOf(key),
                        "lower them or raise hca.limits.max-" + HcaSpec.limitName(key));
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
