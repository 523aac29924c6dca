package io.hyperverbs.lab.conformance.catalogue;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProgramExit;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Guest program: holds the domain's device to the verbs contract.
 *
 * <pre>
 * ConformanceProgram [--path bypass|forwarded|forwarded-unary] [--list] [CASE-or-group...]
 * </pre>
 *
 * Prints {@code PASS name} or {@code FAIL name: reason} for each case and {@code cases N, failed M}
 * at the end. Exit code 0, 6 if a case failed, 2 for bad arguments.
 */
public final class ConformanceProgram {
    /** Exit code when a case failed. */
    public static final int EXIT_FAILED = 6;

    /** Exit code for bad arguments. */
    public static final int EXIT_USAGE = 2;

    /** Against a hang alone: a case waits for what it expects by deadlines of its own. */
    private static final Duration CASE_LIMIT = Duration.ofSeconds(60);

    private ConformanceProgram() {}

    /** Runs in the domain of the calling thread; throws {@link ProgramExit} if a case failed. */
    public static void main(String[] args) throws InterruptedException {
        int code = run(args, System.out, System.err);
        if (code != 0) {
            throw new ProgramExit(code);
        }
    }

    /** As {@link #main}, but returns the exit code. */
    public static int run(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
        DataPathKind path = null;
        boolean list = false;
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--list")) {
                list = true;
            } else if (args[i].equals("--path") && i + 1 < args.length) {
                path = path(args[++i]);
                if (path == null) {
                    err.println("unknown path " + args[i] + ", must be one of " + pathNames());
                    return EXIT_USAGE;
                }
            } else if (args[i].startsWith("-")) {
                err.println("unknown or incomplete option " + args[i]);
                return EXIT_USAGE;
            } else {
                wanted.add(args[i]);
            }
        }
        List<ConformanceCase> cases = Conformance.cases(wanted);
        if (cases.isEmpty()) {
            err.println("no case or group is called " + String.join(" or ", wanted));
            return EXIT_USAGE;
        }
        if (list) {
            cases.forEach(one -> out.println(one.name() + "  " + one.rule()));
            return 0;
        }
        return runAll(cases, path, out);
    }

    /** Whether these are all the cases there are, so that none needs to be named. */
    public static boolean namesAll(Collection<String> names) {
        return Conformance.cases(names).size() == Conformance.cases().size();
    }

    private static int runAll(List<ConformanceCase> cases, @Nullable DataPathKind path, PrintStream out)
            throws InterruptedException {
        CaseRunner runner = new CaseRunner(() -> new Rig(Domain.current(), path, System::nanoTime), CASE_LIMIT);
        int failed = 0;
        for (ConformanceCase one : cases) {
            Optional<String> reason = runner.run(one);
            if (reason.isPresent()) {
                failed++;
                out.println("FAIL " + one.name() + ": " + reason.get());
            } else {
                out.println("PASS " + one.name());
            }
            out.flush();
        }
        out.println("cases " + cases.size() + ", failed " + failed);
        out.flush();
        return failed == 0 ? 0 : EXIT_FAILED;
    }

    private static @Nullable DataPathKind path(String name) {
        for (DataPathKind kind : DataPathKind.values()) {
            if (optionName(kind).equals(name)) {
                return kind;
            }
        }
        return null;
    }

    private static List<String> pathNames() {
        List<String> names = new ArrayList<>();
        for (DataPathKind kind : DataPathKind.values()) {
            names.add(optionName(kind));
        }
        return names;
    }

    private static String optionName(DataPathKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
