package io.hyperverbs.frontend.path;

import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.ReceiveRing;
import io.hyperverbs.hca.layout.SendRing;
import org.jspecify.annotations.Nullable;

/**
 * A created queue pair.
 *
 * @param handle the session's
 * @param slot doorbell slot
 * @param sendCq where its sends complete
 * @param receiveCq where its receives complete
 * @param srq where its receives come from; null: its own ring
 */
public record CreatedQp(
        long handle,
        int slot,
        QueueGeometry geometry,
        SendRing sendRing,
        ReceiveRing receiveRing,
        CompletionPort sendCq,
        CompletionPort receiveCq,
        @Nullable SrqPort srq) {}
