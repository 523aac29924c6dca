package io.hyperverbs.launcher.topology;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Topologies that need no file: {@code pair}, {@code star,n=N}, {@code ring,n=N}; with {@code hcas=M}
 * the guests are dealt to that many HCAs in turn.
 */
public final class BuiltIn {
    /** The words that {@link #find} knows, without their numbers. */
    public static final List<String> NAMES = List.of("pair", "star", "ring");

    private static final Pattern SPEC = Pattern.compile("(pair|star|ring)((?:,(?:n|hcas)=[0-9]{1,9})*)");
    private static final int STANDARD_COUNT = 4;
    private static final int MAX_COUNT = 256;
    private static final int MAX_HCAS = 64;

    private BuiltIn() {}

    /**
     * The topology that {@code spec} names, or empty if it is not one of these.
     *
     * @throws HvException for a number of guests or HCAs that does not fit
     */
    public static Optional<Topology> find(String spec) throws HvException {
        Matcher matcher = SPEC.matcher(spec);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Map<String, Integer> numbers = numbers(spec, matcher.group(2));
        int hcas = numbers.getOrDefault("hcas", 1);
        check(hcas >= 1 && hcas <= MAX_HCAS, spec, "hcas must be 1 to " + MAX_HCAS);
        String kind = matcher.group(1);
        if (kind.equals("pair")) {
            check(numbers.getOrDefault("n", 2) == 2, spec, "pair has two guests");
            return Optional.of(topology(kind, List.of("a", "b"), hcas));
        }
        int count = numbers.getOrDefault("n", STANDARD_COUNT);
        check(count >= 2 && count <= MAX_COUNT, spec, "n must be 2 to " + MAX_COUNT);
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            boolean hub = kind.equals("star") && i == 1;
            names.add(hub ? "hub" : kind.equals("star") ? "g" + (i - 1) : "g" + i);
        }
        return Optional.of(topology(kind, names, hcas));
    }

    private static Map<String, Integer> numbers(String spec, String text) throws HvException {
        Map<String, Integer> numbers = new HashMap<>();
        for (String one : text.isEmpty() ? new String[0] : text.substring(1).split(",", -1)) {
            String[] parts = one.split("=", 2);
            check(numbers.put(parts[0], Integer.parseInt(parts[1])) == null, spec, parts[0] + " is there twice");
        }
        return numbers;
    }

    private static void check(boolean fits, String spec, String hint) throws HvException {
        if (!fits) {
            throw new HvException(ExitCode.USAGE, "--topo " + spec + " does not fit", hint);
        }
    }

    private static Topology topology(String name, List<String> names, int count) {
        if (count == 1) {
            List<Guest> guests = names.stream().map(Guest::named).toList();
            HcaSpec hca = HcaSpec.standard();
            return new Topology(name, hca, QuotaShares.divide(hca, guests), List.of(), source(name, List.of(), guests));
        }
        List<HcaSpec> hcas = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hcas.add(HcaSpec.standard("hv" + i, i));
        }
        List<Guest> guests = new ArrayList<>();
        for (String guest : names) {
            guests.add(Guest.named(guest).onHca("hv" + guests.size() % count));
        }
        List<Guest> divided = Topology.divided(hcas, guests);
        return new Topology(
                name, hcas, Link.betweenAll(hcas), divided, List.of(), List.of(), source(name, hcas, guests));
    }

    /** The file that would say the same. */
    private static String source(String name, List<HcaSpec> hcas, List<Guest> guests) {
        StringBuilder text = new StringBuilder("apiVersion: hv/v1\nname: " + name + "\n");
        if (!hcas.isEmpty()) {
            text.append("hcas:\n");
            hcas.forEach(hca -> text.append("  ").append(hca.name()).append(":\n"));
        }
        text.append("guests:\n");
        for (Guest guest : guests) {
            text.append("  ").append(guest.name()).append(":");
            text.append(guest.hca().isEmpty() ? "\n" : " { hca: " + guest.hca() + " }\n");
        }
        return text.toString();
    }
}
