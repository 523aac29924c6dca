package io.hyperverbs.backend;

import io.hyperverbs.hca.HcaCommands.Keyed;
import io.hyperverbs.hca.HcaCommands.RegionInit;
import io.hyperverbs.hca.HcaCommands.Slotted;
import io.hyperverbs.hca.MachineRun;
import io.hyperverbs.hca.layout.CompletionRing;
import io.hyperverbs.hca.layout.CqHeaderLayout;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.SendRing;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A queue pair of RC whose user writes from a buffer of its own, without a driver. */
final class WriteQueue {
    private static final int CQES = 64;

    final long buffer;
    final Keyed region;
    final int cq;
    final Slotted qp;
    private final MemorySegment memory;
    private final Doorbell doorbell;
    private final CompletionRing completions;
    private final SendRing sends;
    private final WorkCompletion completion = new WorkCompletion();

    WriteQueue(UdpHca hca, UdpHca.Guest guest, QpLimits limits, int bufferBytes) {
        memory = hca.memory;
        doorbell = new Doorbell(memory, guest.page(), memory, hca.status, () -> {});
        buffer = hca.allocate(bufferBytes);
        region = hca.hca.createRegion(new RegionInit(
                guest.pd(),
                buffer,
                bufferBytes,
                Access.mask(UdpHca.ALL),
                List.of(new MachineRun(buffer, bufferBytes)),
                0));
        long cqRing = hca.allocate(CqHeaderLayout.totalBytes(CQES));
        cq = hca.hca.createCq(guest.uar(), cqRing, CQES).number();
        completions = new CompletionRing(memory, cqRing, CQES);
        QueueGeometry geometry = QueueGeometry.of(limits);
        long rings = hca.allocate(geometry.totalBytes());
        qp = hca.queuePair(guest, QpType.RC, cq, limits, rings);
        sends = new SendRing(memory, rings, geometry);
    }

    /** Writes from an address of the own region to one of another. */
    void write(long from, long to, int rkey, int bytes) {
        long wqe = sends.slot(0);
        SendWqeLayout.writeHead(memory, wqe, 1, SendWqeLayout.OPCODE_RDMA_WRITE, SendFlags.SIGNALLED);
        SendWqeLayout.writeRemote(memory, wqe, to, rkey);
        SendWqeLayout.writeSegmentCount(memory, wqe, 1);
        SendWqeLayout.writeSegment(memory, wqe, 0, from, bytes, region.lkey());
        sends.publish(1);
        doorbell.ring(qp.slot());
    }

    /** Takes completions, each a success; how many. */
    int completed() {
        int taken = 0;
        while (completions.hasNext()) {
            completions.read(completion);
            sends.freeUpTo(completions.sqHead());
            completions.advance();
            completions.publishConsumer();
            if (completion.status() != VerbsStatus.SUCCESS) {
                throw new IllegalStateException(completion.explain());
            }
            taken++;
        }
        return taken;
    }
}
