package io.hyperverbs.launcher.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.CqContextLayout;
import io.hyperverbs.hca.layout.PortContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.RegionContextLayout;
import io.hyperverbs.hca.layout.SrqContextLayout;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.vmm.control.ContextSnapshot;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What the HCA holds, read from a copy of its on-board memory: the HCA itself is not asked and does
 * not notice. Each entry is whole; entries are not all of one moment.
 */
public final class HcaView {
    private static final int PIECE_BYTES = 1 << 20;

    /**
     * A queue pair.
     *
     * @param rnrNaks of its request that waits for a receive at the peer, 0 if none waits
     * @param rnrSinceNanos when that began, as {@link System#nanoTime} of this computer
     */
    public record Qp(
            int qpn,
            int domain,
            String state,
            int peerQpn,
            int pd,
            int sendCq,
            int receiveCq,
            long sentMessages,
            long sentBytes,
            long receivedMessages,
            long receivedBytes,
            long errors,
            long rnrNaks,
            long rnrSinceNanos) {}

    /** A completion queue. */
    public record Cq(int number, int domain, int entries, boolean broken, long queuePairs) {}

    /** A shared receive queue. */
    public record Srq(int srqn, int domain, int pd, int entries, int limit, int queuePairs, boolean broken) {}

    /** A memory region. */
    public record Region(int number, int domain, int pd, int access, long lengthBytes) {}

    /** What one domain has of the HCA. */
    public record Share(int qp, int cq, int mr, long registeredBytes) {}

    private final MemorySegment memory;

    /** {@code memory} is 64-byte aligned; the head lies at 0. */
    HcaView(MemorySegment memory) {
        this.memory = memory;
    }

    /** Takes a copy of the only HCA; a machine without one yet gives an empty one. */
    public static HcaView read(MachineClient client) throws MachineException {
        return read(client, "");
    }

    /**
     * Takes a copy of the HCA of that name; of one without a device domain an empty one.
     *
     * @throws MachineException ENOENT: no such HCA
     */
    public static HcaView read(MachineClient client, String hca) throws MachineException {
        ContextSnapshot first = client.readContextMemory(hca, 0, PIECE_BYTES);
        MemorySegment memory = zeroed(first);
        copy(client, hca, memory, first.bytes().length, first.totalBytes());
        return new HcaView(memory);
    }

    /**
     * The same of the head and of some tables alone: all others look empty.
     *
     * @throws MachineException ENOENT: no such HCA
     */
    public static HcaView read(MachineClient client, String hca, List<Table> tables) throws MachineException {
        HcaView view =
                new HcaView(zeroed(client.readContextMemory(hca, 0, Math.toIntExact(ContextMemoryLayout.HEAD_BYTES))));
        if (view.isThere()) {
            for (Table table : tables) {
                int count = ContextMemoryLayout.entryCount(view.memory, 0, table);
                long begin = ContextMemoryLayout.entry(view.memory, 0, table, 0);
                copy(client, hca, view.memory, begin, ContextMemoryLayout.entry(view.memory, 0, table, count));
            }
        }
        return view;
    }

    /** Memory for all of it, with its first piece; aligned, as the layouts' ordered access asks for it. */
    private static MemorySegment zeroed(ContextSnapshot first) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(8, first.totalBytes()), 64);
        MemorySegment.copy(MemorySegment.ofArray(first.bytes()), 0, memory, 0, first.bytes().length);
        return memory;
    }

    /** Copies on from one byte to another, or to the end of what there is. */
    private static void copy(MachineClient client, String hca, MemorySegment memory, long from, long to)
            throws MachineException {
        long at = from;
        while (at < to) {
            byte[] bytes = client.readContextMemory(hca, at, (int) Math.min(PIECE_BYTES, to - at))
                    .bytes();
            if (bytes.length == 0) {
                return;
            }
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, at, bytes.length);
            at += bytes.length;
        }
    }

    /** Whether there is an HCA; one that starts has no memory yet. */
    public boolean isThere() {
        return memory.byteSize() >= ContextMemoryLayout.HEAD_BYTES && ContextMemoryLayout.isFormatted(memory, 0);
    }

    /** The copy; the head lies at 0. */
    public MemorySegment memory() {
        return memory;
    }

    /** What the HCA as a whole counted. */
    public long counter(Counter counter) {
        return isThere() ? ContextMemoryLayout.counter(memory, 0, counter) : 0;
    }

    /** Ports of the HCA, from 1; 0 without an HCA. */
    public int portCount() {
        int count = 0;
        while (isThere()
                && count < PortSettings.MAX_PORTS
                && ContextMemoryLayout.isInUse(memory, ContextMemoryLayout.port(0, count + 1))) {
            count++;
        }
        return count;
    }

    /** IPv4 addresses of its ports, from port 1; none of an HCA that is on no wire. */
    public List<Integer> addresses() {
        List<Integer> addresses = new ArrayList<>();
        for (int port = 1; port <= portCount(); port++) {
            int address = (int)
                    PortContextLayout.get(memory, ContextMemoryLayout.port(0, port), PortContextLayout.Field.ADDRESS);
            if (address != 0) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    /** Byte offsets of the entries in use. */
    public List<Long> entries(Table table) {
        List<Long> used = new ArrayList<>();
        int count = isThere() ? ContextMemoryLayout.entryCount(memory, 0, table) : 0;
        for (int i = 0; i < count; i++) {
            long entry = ContextMemoryLayout.entry(memory, 0, table, i);
            if (ContextMemoryLayout.isInUse(memory, entry)) {
                used.add(entry);
            }
        }
        return used;
    }

    public List<Qp> queuePairs() {
        return entries(Table.QP).stream().map(this::qp).toList();
    }

    private Qp qp(long entry) {
        return new Qp(
                (int) qp(entry, QpContextLayout.Field.QPN),
                (int) qp(entry, QpContextLayout.Field.DOMAIN),
                state(qp(entry, QpContextLayout.Field.STATE)),
                (int) qp(entry, QpContextLayout.Field.DEST_QPN),
                (int) qp(entry, QpContextLayout.Field.PD),
                (int) qp(entry, QpContextLayout.Field.SEND_CQ),
                (int) qp(entry, QpContextLayout.Field.RECEIVE_CQ),
                qp(entry, QpContextLayout.Field.SENT_MESSAGES),
                qp(entry, QpContextLayout.Field.SENT_BYTES),
                qp(entry, QpContextLayout.Field.RECEIVED_MESSAGES),
                qp(entry, QpContextLayout.Field.RECEIVED_BYTES),
                qp(entry, QpContextLayout.Field.SEND_ERRORS) + qp(entry, QpContextLayout.Field.RECEIVE_ERRORS),
                qp(entry, QpContextLayout.Field.RNR_NAKS),
                qp(entry, QpContextLayout.Field.RNR_SINCE_NANOS));
    }

    /** The name of a queue pair's state. */
    static String state(long code) {
        return QpState.isCode(code) ? QpState.of((int) code).name() : "?" + code;
    }

    private long qp(long entry, QpContextLayout.Field field) {
        return QpContextLayout.get(memory, entry, field);
    }

    public List<Cq> completionQueues() {
        return entries(Table.CQ).stream()
                .map(entry -> new Cq(
                        (int) cq(entry, CqContextLayout.Field.NUMBER),
                        (int) cq(entry, CqContextLayout.Field.DOMAIN),
                        (int) cq(entry, CqContextLayout.Field.ENTRIES),
                        cq(entry, CqContextLayout.Field.STATE) != 0,
                        cq(entry, CqContextLayout.Field.QUEUE_PAIRS)))
                .toList();
    }

    private long cq(long entry, CqContextLayout.Field field) {
        return CqContextLayout.get(memory, entry, field);
    }

    public List<Srq> sharedReceiveQueues() {
        return entries(Table.SRQ).stream()
                .map(entry -> new Srq(
                        srq(entry, SrqContextLayout.Field.SRQN),
                        srq(entry, SrqContextLayout.Field.DOMAIN),
                        srq(entry, SrqContextLayout.Field.PD),
                        srq(entry, SrqContextLayout.Field.ENTRIES),
                        srq(entry, SrqContextLayout.Field.LIMIT),
                        srq(entry, SrqContextLayout.Field.QUEUE_PAIRS),
                        srq(entry, SrqContextLayout.Field.STATE) != 0))
                .toList();
    }

    private int srq(long entry, SrqContextLayout.Field field) {
        return (int) SrqContextLayout.get(memory, entry, field);
    }

    public List<Region> regions() {
        return entries(Table.REGION).stream()
                .map(entry -> new Region(
                        (int) region(entry, RegionContextLayout.Field.NUMBER),
                        (int) region(entry, RegionContextLayout.Field.DOMAIN),
                        (int) region(entry, RegionContextLayout.Field.PD),
                        (int) region(entry, RegionContextLayout.Field.ACCESS),
                        region(entry, RegionContextLayout.Field.LENGTH_BYTES)))
                .toList();
    }

    private long region(long entry, RegionContextLayout.Field field) {
        return RegionContextLayout.get(memory, entry, field);
    }

    public Share shareOf(int domain) {
        List<Region> regions =
                regions().stream().filter(r -> r.domain() == domain).toList();
        return new Share(
                (int) queuePairs().stream().filter(qp -> qp.domain() == domain).count(),
                (int) completionQueues().stream()
                        .filter(cq -> cq.domain() == domain)
                        .count(),
                regions.size(),
                regions.stream().mapToLong(Region::lengthBytes).sum());
    }
}
