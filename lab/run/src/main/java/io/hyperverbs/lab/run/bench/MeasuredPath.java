package io.hyperverbs.lab.run.bench;

import io.hyperverbs.verbs.DataPathKind;

/** A system that is compared, with the two domains of the benchmark that run it. */
public enum MeasuredPath {
    NATIVE("native", DataPathKind.BYPASS, "na", "nb"),
    BYPASS("bypass", DataPathKind.BYPASS, "a", "b"),
    FORWARDED("forwarded", DataPathKind.FORWARDED, "a", "b"),
    FORWARDED_UNARY("forwarded-unary", DataPathKind.FORWARDED_UNARY, "a", "b"),
    /** What the computer takes without an HCA; it has no domains, and opens nothing. */
    FLOOR("floor", DataPathKind.BYPASS, "", "");

    private final String word;
    private final DataPathKind dataPath;
    private final String active;
    private final String passive;

    MeasuredPath(String word, DataPathKind dataPath, String active, String passive) {
        this.word = word;
        this.dataPath = dataPath;
        this.active = active;
        this.passive = passive;
    }

    /** The name in outputs and options. */
    public String word() {
        return word;
    }

    /** Whether domains of a machine run it. */
    public boolean isOfMachine() {
        return this != FLOOR;
    }

    public DataPathKind dataPath() {
        return dataPath;
    }

    /** The domain that posts and takes the time. */
    public String active() {
        return active;
    }

    /** Its peer. */
    public String passive() {
        return passive;
    }
}
