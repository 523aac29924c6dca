package io.hyperverbs.launcher.trace;

import java.util.Optional;

/** The way a verb took to the HCA. */
public enum VerbWay {
    /** Through mapped memory, past VMM and device domain. */
    BYPASS("bypass"),
    /** As a message to the device domain. */
    FORWARDED("forwarded");

    private final String word;

    VerbWay(String word) {
        this.word = word;
    }

    /** The last word of a line of the log. */
    public String word() {
        return word;
    }

    static Optional<VerbWay> of(String word) {
        for (VerbWay way : values()) {
            if (way.word.equals(word)) {
                return Optional.of(way);
            }
        }
        return Optional.empty();
    }
}
