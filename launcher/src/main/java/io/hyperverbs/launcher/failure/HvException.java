package io.hyperverbs.launcher.failure;

import java.util.List;

/** A command cannot go on. Carries one or more problems, each printed as one line. */
public final class HvException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode exit;
    private final transient List<Problem> problems;

    public HvException(ExitCode exit, List<Problem> problems) {
        super(problems.getFirst().text());
        this.exit = exit;
        this.problems = List.copyOf(problems);
    }

    /**
     * @param what what was found, and what was allowed
     * @param hint what to do about it; may be empty
     */
    public HvException(ExitCode exit, String what, String hint) {
        this(exit, List.of(Problem.of(what, hint)));
    }

    public ExitCode exit() {
        return exit;
    }

    public List<Problem> problems() {
        return problems;
    }
}
