package io.hyperverbs.lab.dsm;

import io.hyperverbs.lab.dsm.apps.AppResult;
import io.hyperverbs.lab.dsm.apps.AppSize;
import io.hyperverbs.lab.dsm.apps.AppTraffic;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.lab.dsm.perf.DsmLine;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.verbs.ProgramExit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code dsm APPLICATION [small|standard]}, as a node of a job: node 0 prints a line for each application, with its
 * time and whether it is right; {@code dsm lines APPLICATION} runs all twice and prints {@link DsmLine}s of the second
 * time. Exit codes: 0 right, 1 wrong at node 0 (the others do not compare), 2 usage.
 */
public final class DsmProgram {
    private static final int WRONG = 1;
    private static final int USAGE = 2;
    private static final String LINES = "lines";
    private static final double NANOS_IN_MILLI = 1e6;
    private static final double KIB = 1024;

    private DsmProgram() {}

    public static void main(String[] args) {
        boolean isForPrograms = args.length > 0 && args[0].equals(LINES);
        String[] words = isForPrograms ? Arrays.copyOfRange(args, 1, args.length) : args;
        int code = 0;
        if (isForPrograms) {
            // Code that is new in its process is compiled meanwhile.
            code = joined(words, _ -> {});
        }
        if (code == 0) {
            code = joined(words, isForPrograms ? DsmProgram::printLines : result -> System.out.println(result.line()));
        }
        if (code != 0) {
            throw new ProgramExit(code);
        }
    }

    private static int joined(String[] words, Consumer<AppResult> print) {
        try (Dsm dsm = Dsm.join()) {
            return code(words, dsm, print);
        }
    }

    private static void printLines(AppResult result) {
        lines(result).forEach(line -> System.out.println(line.text()));
    }

    static List<DsmLine> lines(AppResult result) {
        String name = result.application();
        int nodes = result.nodes();
        AppTraffic traffic = result.traffic();
        return List.of(
                new DsmLine(name, DsmLine.MILLIS, nodes, result.nanos() / NANOS_IN_MILLI),
                new DsmLine(name, DsmLine.MESSAGES, nodes, traffic.messages()),
                new DsmLine(name, DsmLine.KIB, nodes, traffic.bytes() / KIB));
    }

    /**
     * Runs what is asked for, small unless that says otherwise.
     *
     * @param print how node 0 says how it went
     * @return the exit code
     */
    static int code(String[] args, Dsm dsm, Consumer<AppResult> print) {
        List<DsmApplication> asked = args.length == 1 || args.length == 2 ? DsmApplications.named(args[0]) : List.of();
        AppSize size = args.length == 2 ? size(args[1]) : AppSize.SMALL;
        if (asked.isEmpty() || size == null) {
            if (dsm.node() == 0) {
                System.err.println("usage: dsm [lines] APPLICATION [small|standard], the application is one of "
                        + DsmApplications.names());
            }
            return USAGE;
        }
        int code = 0;
        for (DsmApplication application : asked) {
            AppResult result = application.measure(dsm, size, System::nanoTime);
            if (dsm.node() == 0 && result.isRight()) {
                print.accept(result);
            } else if (dsm.node() == 0) {
                System.out.println(result.line());
            }
            code = result.isRight() ? code : WRONG;
        }
        return code;
    }

    private static @Nullable AppSize size(String word) {
        return Stream.of(AppSize.values())
                .filter(size -> size.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElse(null);
    }
}
