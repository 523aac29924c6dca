package io.hyperverbs.verbs;

/**
 * Ends a program with an exit code, thrown out of its main method. Unlike {@link System#exit} it
 * ends that program alone, also where several share a process.
 */
public final class ProgramExit extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * @param code 0 to 255
     */
    public ProgramExit(int code) {
        super("exit code " + code);
        this.code = code;
    }

    public int code() {
        return code;
    }
}
