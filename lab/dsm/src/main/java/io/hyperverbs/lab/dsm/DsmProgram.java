package io.hyperverbs.lab.dsm;

import io.hyperverbs.lab.dsm.apps.AppResult;
import io.hyperverbs.lab.dsm.apps.AppSize;
import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.verbs.ProgramExit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code dsm APPLICATION [small|standard]}, as a node of a job: node 0 prints a line for each application, with its
 * time and whether it is right. Exit codes: 0 right, 1 wrong at node 0 (the others do not compare), 2 usage.
 */
public final class DsmProgram {
    private static final int WRONG = 1;
    private static final int USAGE = 2;

    private DsmProgram() {}

    public static void main(String[] args) {
        int code;
        try (Dsm dsm = Dsm.join()) {
            code = code(args, dsm);
        }
        if (code != 0) {
            throw new ProgramExit(code);
        }
    }

    /** Runs what is asked for, small unless that says otherwise; node 0 says how it went. @return the exit code */
    static int code(String[] args, Dsm dsm) {
        List<DsmApplication> asked = args.length == 1 || args.length == 2 ? DsmApplications.named(args[0]) : List.of();
        AppSize size = args.length == 2 ? size(args[1]) : AppSize.SMALL;
        if (asked.isEmpty() || size == null) {
            if (dsm.node() == 0) {
                System.err.println("usage: dsm APPLICATION [small|standard], the application is one of "
                        + DsmApplications.names());
            }
            return USAGE;
        }
        int code = 0;
        for (DsmApplication application : asked) {
            AppResult result = application.measure(dsm, size, System::nanoTime);
            if (dsm.node() == 0) {
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
