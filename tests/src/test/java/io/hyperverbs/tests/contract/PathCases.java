package io.hyperverbs.tests.contract;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.Conformance;
import io.hyperverbs.lab.ledger.Proof;
import io.hyperverbs.lab.ledger.Sources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Which cases of the contract run in processes, on each data path. All of them where what carries
 * verbs has changed ({@link Proof#CONTRACT}), and with {@code -Dcontract=all}. Else, beside {@link
 * InProcessContractTest}: those of the groups that the path itself carries in a way of its own, those that
 * need threads, and of each other group one in eight and at least one, on each path others. {@code
 * hv check --conformance} takes all on each.
 */
public final class PathCases {
    static final String NATIVE = "native";
    static final String BYPASS = "bypass";
    static final String FORWARDED = "forwarded";
    static final String UNARY = "forwarded-unary";

    private static final List<String> ORDER = List.of(NATIVE, BYPASS, FORWARDED, UNARY);

    /**
     * Cases in which a verb waits until another thread's verb lets it go on, or verbs of several
     * threads meet. The machine in this process makes one call at a time.
     */
    public static final Set<String> NEED_THREADS = Set.of(
            "async.close-waits-for-acknowledgement",
            "channel.close-waits-for-acknowledgement",
            "cm.close-channel-wakes-waiter",
            "device.threads-make-cqs",
            "device.threads-make-qps",
            "device.threads-make-regions");

    /** Groups of which a path takes each case, as it brings over what they are about. */
    private static final Map<String, Set<String>> OWN = Map.of(
            NATIVE, Set.of(),
            // Events, and all requests of the connection manager and of subnet administration.
            BYPASS, Set.of("async", "channel", "cm", "sa"),
            // Rings, posts and polls: copied between two memories, and events raised by the pump.
            FORWARDED, Set.of("async", "buffer", "channel", "cq", "srq"),
            UNARY, Set.of("buffer", "cq"));

    /** Of so many cases of another group a path takes one. */
    private static final int PART = 8;

    /** In full too each path takes one in sixteen of it: it is checked whole without processes. */
    private static final String MATRIX = "access.matrix-";

    private static final int MATRIX_PART = 16;

    /** What unary takes in full: it differs from forwarded in how posts and polls travel. */
    private static final Set<String> POSTING =
            Set.of("rc", "uc", "ud", "xrc", "srq", "cq", "channel", "errors", "multicast");

    private static final int UNARY_PART = 3;

    static final long SEED = Sources.seed();
    static final boolean FULL = isFull();

    private PathCases() {}

    private static boolean isFull() {
        try {
            return System.getProperty("contract", "").equals("all") || Proof.CONTRACT.isDue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of a path. */
    static List<ConformanceCase> of(String path) {
        return FULL ? all(path) : some(path);
    }

    private static List<ConformanceCase> all(String path) {
        if (path.equals(UNARY)) {
            return part(of(one -> POSTING.contains(one.group())), UNARY_PART, 0);
        }
        List<ConformanceCase> cases = new ArrayList<>(of(one -> !one.name().startsWith(MATRIX)));
        cases.addAll(part(of(one -> one.name().startsWith(MATRIX)), MATRIX_PART, ORDER.indexOf(path)));
        return cases;
    }

    private static List<ConformanceCase> some(String path) {
        Set<String> own = OWN.getOrDefault(path, Set.of());
        Map<String, List<ConformanceCase>> others = new LinkedHashMap<>();
        List<ConformanceCase> cases = new ArrayList<>();
        for (ConformanceCase one : Conformance.cases()) {
            if (own.contains(one.group()) || NEED_THREADS.contains(one.name())) {
                cases.add(one);
            } else if (!path.equals(UNARY) || POSTING.contains(one.group())) {
                others.computeIfAbsent(one.group(), _ -> new ArrayList<>()).add(one);
            }
        }
        others.values().forEach(group -> cases.addAll(part(group, PART, 2 * ORDER.indexOf(path))));
        return cases;
    }

    private static List<ConformanceCase> of(Predicate<ConformanceCase> which) {
        return Conformance.cases().stream().filter(which).toList();
    }

    /** Every {@code of}-th case, from where the seed says, one at least; another number takes others. */
    private static List<ConformanceCase> part(List<ConformanceCase> cases, int of, int number) {
        List<ConformanceCase> part = new ArrayList<>();
        int step = Math.min(of, cases.size());
        for (int i = (new SplittableRandom(SEED).nextInt(of) + number) % step; i < cases.size(); i += step) {
            part.add(cases.get(i));
        }
        return part;
    }
}
