package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.run.floor.Floor;
import io.hyperverbs.verbs.DataPathKind;
import org.jspecify.annotations.Nullable;

/** Where a sequence is timed. */
public enum CallSite {
    /** In a domain of the device domain. */
    NATIVE("native", "na", null),
    /** In a guest, whose control path is forwarded whatever its data path is. */
    BYPASS("bypass", "a", null),
    /** In a guest into whose memory the HCA posts events. */
    POSTED("posted", "a", null),
    /** In a guest to which the device domain brings events, and whose posts and polls it forwards. */
    FORWARDED("forwarded", "f", null),
    /** A bare call, without a machine. */
    CALL(Floor.CALL.word(), "", Floor.CALL),
    /** A bare wake by futex. */
    FUTEX(Floor.FUTEX.word(), "", Floor.FUTEX),
    /** A bare wake by eventfd. */
    EVENTFD(Floor.EVENTFD.word(), "", Floor.EVENTFD);

    private final String word;
    private final String domain;
    private final @Nullable Floor floor;

    CallSite(String word, String domain, @Nullable Floor floor) {
        this.word = word;
        this.domain = domain;
        this.floor = floor;
    }

    /** The name in tables. */
    public String word() {
        return word;
    }

    /** The domain that runs it; empty without one. */
    String domain() {
        return domain;
    }

    /** The domain that it connects to. */
    String peer() {
        return domain + "-peer";
    }

    /** How that domain opens the device. */
    DataPathKind dataPath() {
        return this == FORWARDED ? DataPathKind.FORWARDED : DataPathKind.BYPASS;
    }

    /** Whether a domain of a machine runs it. */
    boolean isOfMachine() {
        return floor == null;
    }

    /** What is measured there if no domain runs it. */
    @Nullable
    Floor floor() {
        return floor;
    }
}
