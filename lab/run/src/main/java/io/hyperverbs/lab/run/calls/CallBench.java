package io.hyperverbs.lab.run.calls;

import io.hyperverbs.lab.bench.CallSequence;
import java.util.List;

/** A command that measures sequences. */
public enum CallBench {
    /** {@code hv bench reg}: the control path. */
    REG("reg"),
    /** {@code hv bench events}: programs that sleep. */
    EVENTS("events"),
    /** {@code hv bench conn}: connections by the connection manager. */
    CONN("conn");

    private final String word;

    CallBench(String word) {
        this.word = word;
    }

    /** The name of the command. */
    public String word() {
        return word;
    }

    /** What it can measure. */
    public List<CallSequence> sequences() {
        return switch (this) {
            case REG -> List.of(CallSequence.MR, CallSequence.PD, CallSequence.CQ, CallSequence.QP, CallSequence.FIRST);
            case EVENTS -> List.of(CallSequence.WRITE, CallSequence.SEND);
            case CONN -> List.of(CallSequence.CYCLE, CallSequence.STEPS, CallSequence.MANY);
        };
    }

    /** Where, the floor that all is compared with being the first of the floors. */
    List<CallSite> sites() {
        return switch (this) {
            case REG -> List.of(CallSite.NATIVE, CallSite.BYPASS, CallSite.CALL);
            case EVENTS ->
                List.of(CallSite.NATIVE, CallSite.POSTED, CallSite.FORWARDED, CallSite.FUTEX, CallSite.EVENTFD);
            case CONN -> List.of(CallSite.NATIVE, CallSite.BYPASS, CallSite.FORWARDED, CallSite.CALL);
        };
    }

    /** What a figure is a ratio to. */
    CallSite floor() {
        return switch (this) {
            case REG, CONN -> CallSite.CALL;
            case EVENTS -> CallSite.FUTEX;
        };
    }
}
