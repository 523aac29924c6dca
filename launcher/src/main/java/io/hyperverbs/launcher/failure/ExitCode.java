package io.hyperverbs.launcher.failure;

import java.util.Locale;

/** How {@code hv} ends; the numbers are part of its interface and never reused. */
public enum ExitCode {
    OK(0),
    /** Something went wrong while running. */
    FAILURE(1),
    /** The command line makes no sense. */
    USAGE(2),
    /** The topology file is not valid. */
    INVALID_TOPOLOGY(3),
    /** No such file, topology, domain or program. */
    NOT_FOUND(4),
    /** Name or place is taken. */
    CONFLICT(5),
    /** What was checked does not hold. */
    CHECK_FAILED(6),
    /** A guest did to others what it must not be able to. */
    BREACH(7),
    /** Took longer than {@code --timeout}. */
    TIMEOUT(8),
    INTERRUPTED(130),
    TERMINATED(143);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** The name in error objects, such as {@code not-found}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
