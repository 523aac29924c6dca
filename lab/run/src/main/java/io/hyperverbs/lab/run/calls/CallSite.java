package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.run.floor.Floor;

/** Where a sequence is timed. */
public enum CallSite {
    /** In a domain of the device domain. */
    NATIVE("native", "na"),
    /** In a guest, whose control path is forwarded whatever its data path is. */
    BYPASS("bypass", "a"),
    /** A bare call, without a machine. */
    FLOOR(Floor.CALL.word(), "");

    private final String word;
    private final String domain;

    CallSite(String word, String domain) {
        this.word = word;
        this.domain = domain;
    }

    /** The name in tables. */
    public String word() {
        return word;
    }

    /** The domain that runs it; empty without one. */
    String domain() {
        return domain;
    }

    /** Whether a domain of a machine runs it. */
    boolean isOfMachine() {
        return this != FLOOR;
    }
}
