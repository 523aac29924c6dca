package io.hyperverbs.frontend.driver;

import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.RcQueuePair;

/** A reliable-connection queue pair. */
final class DriverRcQp extends DriverQp implements RcQueuePair {
    DriverRcQp(Made made) {
        super(made, QpType.RC);
    }
}
