package io.hyperverbs.frontend.driver;

import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.UcQueuePair;

/** An unreliable-connection queue pair. */
final class DriverUcQp extends DriverQp implements UcQueuePair {
    DriverUcQp(Made made) {
        super(made, QpType.UC);
    }
}
