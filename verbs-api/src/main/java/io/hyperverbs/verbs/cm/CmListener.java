package io.hyperverbs.verbs.cm;

import io.hyperverbs.verbs.VerbsObject;

/** Waits for REQs to one service id of this domain ({@code rdma_listen}). */
public interface CmListener extends VerbsObject {
    long serviceId();
}
