package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Listing;
import java.util.ArrayList;
import java.util.List;

/** The words after {@code hv rdma resource}: {@code [show] [KIND] [KEY VALUE]...}. */
record RowWords(String kind, List<Filter> filters) {
    private static final String GUEST = "guest";

    /** A key and the value its rows have. */
    record Filter(String key, String value) {}

    static RowWords of(List<String> words) throws HvException {
        List<String> rest = new ArrayList<>(words);
        // iproute2 has both: resource show qp, and statistic qp show.
        int show = rest.indexOf("show");
        if (show == 0 || show == 1) {
            rest.remove(show);
        }
        String kind = rest.isEmpty() ? "" : rest.removeFirst();
        if (rest.size() % 2 != 0) {
            if (kind.equals(GUEST) || kind.equals("link") || kind.equals("dev")) {
                // iproute2 writes "show link hv0/1": the kind is the key.
                rest.addFirst(kind);
            } else {
                throw new HvException(ExitCode.USAGE, "key '" + rest.getLast() + "' without a value", "");
            }
        }
        List<Filter> filters = new ArrayList<>();
        for (int i = 0; i < rest.size(); i += 2) {
            filters.add(new Filter(rest.get(i), rest.get(i + 1)));
        }
        return new RowWords(kind, filters);
    }

    /** The rows that pass all filters. */
    Listing choose(Listing listing) throws HvException {
        Listing chosen = listing;
        for (Filter filter : filters) {
            chosen = chosen.where(column(filter.key, listing.columns()), filter.value);
        }
        return chosen;
    }

    private static String column(String key, List<String> columns) throws HvException {
        if (columns.contains(key)) {
            return key;
        }
        if (key.equals(GUEST) && columns.contains("comm")) {
            return "comm";
        }
        throw unknown("key", key, columns);
    }

    /** Refuses a domain that the machine has not: no row would be no answer. */
    void checkGuest(RunningMachine machine) throws HvException {
        for (Filter filter : filters) {
            if (filter.key.equals(GUEST)) {
                var _ = Machines.domain(machine, filter.value);
            }
        }
    }

    static HvException unknown(String what, String word, List<String> known) {
        return new HvException(ExitCode.USAGE, "no " + what + " '" + word + "'", Suggestion.hintOrAll(word, known));
    }
}
