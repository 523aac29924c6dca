package io.hyperverbs.upper.dsm.protocol;

/** Node 0's part of the barrier: counts who has come, and compares what they came for. */
final class BarrierCount {
    private final int nodes;
    private final ControlOutbox outbox;
    private int arrived;
    private long call;
    private boolean differs;

    BarrierCount(int nodes, ControlOutbox outbox) {
        this.nodes = nodes;
        this.outbox = outbox;
    }

    void arrived(long ofCall) {
        if (arrived == 0) {
            call = ofCall;
        }
        differs |= call != ofCall;
        arrived++;
        if (arrived < nodes) {
            return;
        }
        ControlMessage released = new ControlMessage(ControlType.BARRIER_RELEASED, 0, 0, differs ? 1 : 0);
        arrived = 0;
        differs = false;
        for (int node = 0; node < nodes; node++) {
            outbox.send(node, released);
        }
    }
}
