package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.Encapsulation;
import io.hyperverbs.upper.ipoib.frame.NeighbourMessage;
import io.hyperverbs.verbs.CompletionWaiter;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.ip.IpInterface;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

/**
 * Takes datagrams of the link and gives their packets to the interface; what is for address resolution goes there, under
 * the link's lock. One thread, its own.
 */
final class Incoming {
    private static final Duration LONG = Duration.ofHours(1);
    private static final int BATCH = 32;

    private final UdQueuePair qp;
    private final int ownLid;
    private final CompletionWaiter waiter;
    private final FrameSlots slots;
    private final IpInterface device;
    private final AddressResolution resolution;
    private final LinkSender sender;
    private final Lock lock;
    private final LinkCounters counters;
    private final ReceivePoster poster;
    private final WorkCompletion[] completions = new WorkCompletion[BATCH];

    Incoming(
            UdQueuePair qp,
            int ownLid,
            CompletionWaiter waiter,
            FrameSlots slots,
            IpInterface device,
            AddressResolution resolution,
            LinkSender sender,
            Lock lock,
            LinkCounters counters) {
        this.qp = qp;
        this.ownLid = ownLid;
        this.waiter = waiter;
        this.slots = slots;
        this.device = device;
        this.resolution = resolution;
        this.sender = sender;
        this.lock = lock;
        this.counters = counters;
        this.poster = qp.receives();
        for (int i = 0; i < BATCH; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /** Posts a receive for each slot; before anything can come. */
    static void postAll(UdQueuePair qp, FrameSlots slots) throws VerbsException {
        ReceivePoster poster = qp.receives().start();
        for (int slot = 0; slot < slots.count(); slot++) {
            ReceivePoster _ = poster.receive(slot).sge(slots.lkey(), slots.address(slot), slots.slotBytes());
        }
        check(qp, poster.post());
    }

    /** Waits for datagrams and takes them, until the queue pair fails. */
    void run() throws IOException, VerbsException {
        while (true) {
            int found = waiter.await(completions, LONG);
            if (found == 0) {
                continue;
            }
            ReceivePoster _ = poster.start();
            for (int i = 0; i < found; i++) {
                int slot = (int) completions[i].wrId();
                take(completions[i], slot);
                ReceivePoster _ = poster.receive(slot).sge(slots.lkey(), slots.address(slot), slots.slotBytes());
            }
            check(qp, poster.post());
        }
    }

    private static void check(UdQueuePair qp, VerbsStatus status) throws VerbsException {
        if (status != VerbsStatus.SUCCESS) {
            throw new VerbsException(status, "no receives of " + qp.describe() + ": " + qp.explainPost());
        }
    }

    private void take(WorkCompletion completion, int slot) throws IOException, VerbsException {
        if (completion.status() != VerbsStatus.SUCCESS) {
            throw new VerbsException(completion.status(), qp.describe() + ": " + completion.explain());
        }
        if (completion.sourceQpn() == qp.qpn() && completion.sourceLid() == ownLid) {
            // What this node sent to a group that it is in.
            return;
        }
        int length = completion.byteCount() - Grh.SIZE_BYTES - Encapsulation.SIZE_BYTES;
        if (length < 0) {
            counters.count(LinkCounters.Drop.MALFORMED);
            return;
        }
        MemorySegment memory = slots.memory();
        long packet = slots.offset(slot) + Grh.SIZE_BYTES + Encapsulation.SIZE_BYTES;
        int type = Encapsulation.type(memory, packet - Encapsulation.SIZE_BYTES);
        if (type == Encapsulation.ARP) {
            resolve(() -> resolution.arp(memory, packet, length, completion.sourceQpn()));
        } else if (type == Encapsulation.IPV6 && NeighbourMessage.isNeighbourMessage(memory, packet, length)) {
            resolve(() -> resolution.discovery(memory, packet, length, completion.sourceQpn()));
        } else if ((type != Encapsulation.IPV4 && type != Encapsulation.IPV6)
                || !device.give(memory.asSlice(packet, length))) {
            counters.count(LinkCounters.Drop.MALFORMED);
        }
    }

    private void resolve(Runnable work) throws VerbsException {
        lock.lock();
        try {
            work.run();
            // Packets that waited for what came.
            sender.flush();
        } finally {
            lock.unlock();
        }
    }
}
