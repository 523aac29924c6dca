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
import org.jspecify.annotations.Nullable;

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
    private final ReceivedPackets packets;
    private final AddressResolution resolution;
    private final LinkSender sender;
    private final Lock lock;
    private final LinkCounters counters;
    private final @Nullable ConnectedReceives connected;
    private final ReceivePoster poster;
    private final WorkCompletion[] completions = new WorkCompletion[BATCH];

    /**
     * For the queue that {@code waiter} waits for.
     *
     * @param connected receives of connections, which complete there too; null in datagram mode
     */
    Incoming(
            UdQueuePair qp,
            int ownLid,
            CompletionWaiter waiter,
            FrameSlots slots,
            IpInterface device,
            AddressResolution resolution,
            LinkSender sender,
            Lock lock,
            LinkCounters counters,
            @Nullable ConnectedReceives connected) {
        this.qp = qp;
        this.ownLid = ownLid;
        this.waiter = waiter;
        this.slots = slots;
        this.packets = new ReceivedPackets(device, counters);
        this.resolution = resolution;
        this.sender = sender;
        this.lock = lock;
        this.counters = counters;
        this.connected = connected;
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
            boolean isEmpty = true;
            for (int i = 0; i < found; i++) {
                int slot = (int) completions[i].wrId();
                if (connected != null && completions[i].qpn() != qp.qpn()) {
                    packets.flush();
                    takeConnected(completions[i], slot, connected);
                } else {
                    take(completions[i], slot);
                    isEmpty = false;
                    ReceivePoster _ = poster.receive(slot).sge(slots.lkey(), slots.address(slot), slots.slotBytes());
                }
            }
            packets.flush();
            if (!isEmpty) {
                check(qp, poster.post());
            }
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
        } else {
            give(memory, packet, length, type);
        }
    }

    /** Address resolution comes as datagrams alone, whose source the HCA writes. */
    private void takeConnected(WorkCompletion completion, int slot, ConnectedReceives receives)
            throws IOException, VerbsException {
        MemorySegment memory = receives.slots().memory();
        long packet = receives.slots().offset(slot) + Encapsulation.SIZE_BYTES;
        int length = completion.byteCount() - Encapsulation.SIZE_BYTES;
        if (completion.status() == VerbsStatus.SUCCESS && length < 0) {
            counters.count(LinkCounters.Drop.MALFORMED);
        } else if (completion.status() == VerbsStatus.SUCCESS) {
            int type = Encapsulation.type(memory, packet - Encapsulation.SIZE_BYTES);
            if (type == Encapsulation.IPV6 && NeighbourMessage.isNeighbourMessage(memory, packet, length)) {
                counters.count(LinkCounters.Drop.FORGED);
            } else {
                give(memory, packet, length, type);
                packets.flush();
            }
        }
        // Also after an error: the message broke off with its connection, and the slot is free.
        receives.post(slot);
    }

    private void give(MemorySegment memory, long packet, int length, int type) throws IOException {
        if (type == Encapsulation.IPV4 || type == Encapsulation.IPV6) {
            packets.give(memory, packet, length);
        } else {
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
