package io.hyperverbs.frontend.driver;

import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** A reliable-connection queue pair. */
final class DriverRcQp extends DriverQp implements RcQueuePair {
    DriverRcQp(Made made) {
        this(QpType.RC, made);
    }

    private DriverRcQp(QpType type, Made made) {
        super(made, type);
    }

    /** One of any type that has the rings and the moves of RC. */
    static DriverRcQp create(
            QpType type, DriverPd pd, QpLimits limits, DriverCq sendCq, DriverCq receiveCq, @Nullable DriverSrq srq)
            throws VerbsException {
        return create(pd, type, limits, sendCq, receiveCq, srq, made -> new DriverRcQp(type, made));
    }
}
