package io.hyperverbs.lab.run.perf;

import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.QpType;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which of perftest's options mean something for which verb, measure and transport. */
public final class PerfRules {
    private static final Set<BenchVerb> ALL = EnumSet.allOf(BenchVerb.class);
    private static final Set<BenchVerb> SEND = EnumSet.of(BenchVerb.SEND);
    private static final Set<BenchVerb> OUT = EnumSet.of(BenchVerb.SEND, BenchVerb.WRITE);
    private static final Set<BenchVerb> SIZED = EnumSet.complementOf(EnumSet.of(BenchVerb.FETCH_ADD));

    private record Rule(String option, Set<BenchVerb> verbs, boolean latency) {}

    /** An option that is not here goes with everything. */
    private static final List<Rule> RULES = List.of(
            new Rule("-a", SIZED, true),
            new Rule("-s", SIZED, true),
            new Rule("-q", ALL, false),
            new Rule("-t", ALL, false),
            new Rule("-r", SEND, true),
            new Rule("-l", ALL, false),
            new Rule("-Q", ALL, false),
            new Rule("-I", OUT, true),
            // Who waits for a write polls memory: there is no completion to sleep for.
            new Rule("-e", EnumSet.complementOf(EnumSet.of(BenchVerb.WRITE)), true),
            new Rule("-b", ALL, false),
            new Rule("-N", ALL, false),
            new Rule("--use-srq", SEND, true),
            new Rule("--report_gbits", ALL, false));

    private PerfRules() {}

    /** The verbs that a transport has. */
    static Set<BenchVerb> verbs(QpType transport) {
        return switch (transport) {
            case RC -> ALL;
            case UC -> OUT;
            case UD -> SEND;
            case XRC_SEND, XRC_RECV -> EnumSet.noneOf(BenchVerb.class);
        };
    }

    /**
     * @param given names of the options that are there
     * @throws HvException USAGE for one that says nothing here, and for a transport without the verb
     */
    public static void check(boolean latency, BenchVerb verb, QpType transport, Collection<String> given)
            throws HvException {
        if (!verbs(transport).contains(verb)) {
            List<QpType> having = Arrays.stream(QpType.values())
                    .filter(type -> verbs(type).contains(verb))
                    .toList();
            throw usage(
                    "-c " + transport + " has no " + verb.word(),
                    "it has " + words(verbs(transport)) + "; "
                            + verb.word() + " goes with -c "
                            + having.stream().map(QpType::name).collect(Collectors.joining(" or ")));
        }
        for (Rule rule : RULES) {
            if (!given.contains(rule.option)) {
                continue;
            }
            if (latency && !rule.latency) {
                throw usage(rule.option + " is not supported by lat", "bw has it");
            }
            if (!rule.verbs.contains(verb)) {
                throw usage(
                        rule.option + " is not supported with --verb " + verb.word(),
                        "it goes with " + words(rule.verbs));
            }
        }
        if (given.contains("--use-srq") && transport != QpType.RC) {
            throw usage("--use-srq is not supported with -c " + transport, "it goes with -c RC");
        }
        if (given.contains("-a") && given.contains("-s")) {
            throw usage("-a and -s together", "-a is all sizes");
        }
        if (given.contains("-n") && given.contains("-D")) {
            throw usage("-n and -D together", "a row ends after messages or after seconds");
        }
    }

    private static String words(Set<BenchVerb> verbs) {
        return verbs.stream().map(BenchVerb::word).collect(Collectors.joining(", "));
    }

    static HvException usage(String what, String hint) {
        return new HvException(ExitCode.USAGE, what, hint);
    }
}
