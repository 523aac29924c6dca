package io.hyperverbs.launcher.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Quotas of all domains of an HCA together must fit into it (design.md 7). */
final class QuotaSums {
    private static final List<String> LIMITED = List.of("qp", "cq", "mr", "pd", "mw");

    /** Takes what is wrong and where. */
    interface Report {
        void problem(String pointer, String what, String hint);
    }

    private QuotaSums() {}

    /**
     * @param key where the HCA stands in the file, such as {@code hca}
     * @param guests those on it
     */
    static void check(HcaSpec hca, String key, List<Guest> guests, Report report) {
        for (String limited : LIMITED) {
            long sum = 0;
            List<String> parts = new ArrayList<>();
            String last = "";
            for (Guest guest : guests) {
                Long quota = guest.quota().get(limited);
                if (quota != null) {
                    sum += quota;
                    parts.add(guest.name() + ": " + quota);
                    last = guest.name();
                }
            }
            if (sum > hca.limitOf(limited)) {
                report.problem(
                        "/guests/" + last + "/quota/" + limited,
                        limited.toUpperCase(Locale.ROOT)
                                + " quotas add up to "
                                + sum
                                + " ("
                                + String.join(", ", shortened(parts))
                                + "); "
                                + words(hca, key)
                                + " has "
                                + hca.limitOf(limited),
                        raise(key, limited));
            }
        }
    }

    /** {@code the HCA}, or its name if there are several. */
    static String words(HcaSpec hca, String key) {
        return key.equals("hca") ? "the HCA" : "HCA " + hca.name();
    }

    static String raise(String key, String limited) {
        return "lower them or raise " + key + ".limits.max-" + HcaSpec.limitName(limited);
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
