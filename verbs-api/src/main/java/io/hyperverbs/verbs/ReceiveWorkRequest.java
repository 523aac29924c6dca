package io.hyperverbs.verbs;

import java.util.List;

/** A receive request of the readable tier ({@code ibv_recv_wr}). */
public record ReceiveWorkRequest(long wrId, List<Sge> segments) {
    public ReceiveWorkRequest {
        segments = List.copyOf(segments);
    }
}
