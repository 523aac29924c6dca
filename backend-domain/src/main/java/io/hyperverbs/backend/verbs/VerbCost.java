package io.hyperverbs.backend.verbs;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlRequest;

/**
 * What a request costs of its domain's control rate: one for most, more for those that keep others
 * waiting at what all domains share (the VMM's hypercalls, the journal, memory). Stateless.
 */
final class VerbCost {
    /** Runs that cost as much as one plain verb; the end of the region is paid for with it. */
    static final int RUNS = 2;

    /** Entries of queues that do. */
    static final int ENTRIES = 1024;

    /** What asks for more entries is refused without an effect, and costs no more than this. */
    static final int MOST_ENTRIES = 1 << 16;

    /** A forwarded context has a thread and shared memory of the device domain. */
    static final int FORWARDED_CONTEXT = 16;

    private VerbCost() {}

    static long of(ControlRequest request) {
        return switch (request) {
            case ControlRequest.OpenContext r -> r.dataPath() == DataPathKind.BYPASS ? 1 : FORWARDED_CONTEXT;
            case ControlRequest.RegisterMemory r -> of(r.runs().size(), RUNS);
            case ControlRequest.RegisterRing r -> of(r.runs().size(), RUNS);
            case ControlRequest.ReregisterMemory r -> of(r.runs().size(), RUNS);
            case ControlRequest.CreateCq r -> ofEntries(r.entries());
            case ControlRequest.ResizeCq r -> ofEntries(r.entries());
            case ControlRequest.CreateQp r ->
                ofEntries((long) r.limits().sendWr() + r.limits().receiveWr());
            case ControlRequest.CreateSrq r -> ofEntries(r.limits().receiveWr());
            case ControlRequest.ResizeSrq r -> ofEntries(r.receiveWr());
            default -> 1;
        };
    }

    private static long ofEntries(long entries) {
        return of(Math.min(entries, MOST_ENTRIES), ENTRIES);
    }

    // Sizes are not checked yet: a negative one is refused later, and costs what a verb costs.
    private static long of(long size, int perCost) {
        return 1 + Math.max(0, size) / perCost;
    }
}
