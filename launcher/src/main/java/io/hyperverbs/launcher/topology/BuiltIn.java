package io.hyperverbs.launcher.topology;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Topologies that need no file: {@code pair}, {@code star,n=N}, {@code ring,n=N}. */
public final class BuiltIn {
    /** The words that {@link #find} knows, without their numbers. */
    public static final List<String> NAMES = List.of("pair", "star", "ring");

    private static final Pattern SPEC = Pattern.compile("(pair|star|ring)(?:,n=([0-9]{1,9}))?");
    private static final int STANDARD_COUNT = 4;
    private static final int MAX_COUNT = 256;

    private BuiltIn() {}

    /**
     * The topology that {@code spec} names, or empty if it is not one of these.
     *
     * @throws HvException for a number of guests that does not fit
     */
    public static Optional<Topology> find(String spec) throws HvException {
        Matcher matcher = SPEC.matcher(spec);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String kind = matcher.group(1);
        String given = matcher.group(2);
        if (kind.equals("pair")) {
            check(given == null || given.equals("2"), spec, "pair has two guests");
            return Optional.of(topology(kind, List.of("a", "b")));
        }
        int count = given == null ? STANDARD_COUNT : Integer.parseInt(given);
        check(count >= 2 && count <= MAX_COUNT, spec, "n must be 2 to " + MAX_COUNT);
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            boolean hub = kind.equals("star") && i == 1;
            names.add(hub ? "hub" : kind.equals("star") ? "g" + (i - 1) : "g" + i);
        }
        return Optional.of(topology(kind, names));
    }

    private static void check(boolean fits, String spec, String hint) throws HvException {
        if (!fits) {
            throw new HvException(ExitCode.USAGE, "--topo " + spec + " does not fit", hint);
        }
    }

    private static Topology topology(String name, List<String> guests) {
        return new Topology(
                name,
                HcaSpec.standard(),
                QuotaShares.divide(
                        HcaSpec.standard(), guests.stream().map(Guest::named).toList()),
                List.of(),
                source(name, guests));
    }

    /** The file that would say the same. */
    private static String source(String name, List<String> guests) {
        StringBuilder text = new StringBuilder("apiVersion: hv/v1\nname: " + name + "\nguests:\n");
        guests.forEach(guest -> text.append("  ").append(guest).append(":\n"));
        return text.toString();
    }
}
