package io.hyperverbs.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.hca.wire.AethLayout;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.UdpPort;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what a guest keeps of the engine's time while an HCA gets more packets than it can look at:
 * docs/measurements/udp.md. The guest's queue pair always has writes within the HCA. Its share is what it completes in a
 * second of the engine's time, in proportion to what it completes without a flood in the same round. The flood has a
 * thread of its own.
 *
 * <pre>{@code FloodPace [rounds] [milliseconds]}</pre>
 */
final class FloodPace {
    private static final int HCA = 0x7f1e_0002;
    private static final int PEER = 0x7f1e_0001;
    private static final int STRANGER = 0x7f1e_0009;
    private static final int[] WRITES = {64, 4096};

    /** Sets of datagrams that the flood has ready; each is sent as one. */
    private static final int BATCHES = 8;

    private static final int BATCH_BYTES = 60_000;
    private static final double LEAST_PACKETS_PER_SECOND = 20_000;
    private static final int MOST_TRIES = 100;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long nanos;
    private final Map<String, List<double[]>> rows = new LinkedHashMap<>();

    private FloodPace(long nanos) {
        this.nanos = nanos;
    }

    /** What is sent, and how long the payload of a datagram is. */
    private enum Flood {
        NONE(STRANGER, PacketOpcode.RC_SEND_ONLY, 0),
        EMPTY(STRANGER, PacketOpcode.RC_SEND_ONLY, 0),
        WRONG_ICRC(STRANGER, PacketOpcode.RC_SEND_ONLY, 64),
        WRONG_ICRC_4096(STRANGER, PacketOpcode.RC_SEND_ONLY, 4096),
        WRONG_ICRC_32768(STRANGER, PacketOpcode.RC_SEND_ONLY, 32_768),
        NO_QUEUE_PAIR(STRANGER, PacketOpcode.RC_SEND_ONLY, 64),
        OF_NO_PEER(STRANGER, PacketOpcode.RC_SEND_ONLY, 64),
        WRONG_QKEY(STRANGER, PacketOpcode.UD_SEND_ONLY, 64),
        NO_RECEIVE(STRANGER, PacketOpcode.UD_SEND_ONLY, 64),
        MANAGEMENT(STRANGER, PacketOpcode.UD_SEND_ONLY, ManagementDatagram.MAD_BYTES),
        FORGED_CNP(PEER, PacketOpcode.CNP, 0),
        FORGED_DUPLICATE(PEER, PacketOpcode.RC_SEND_ONLY, 0),
        FORGED_GAP(PEER, PacketOpcode.RC_SEND_ONLY, 0),
        FORGED_ACK(PEER, PacketOpcode.RC_ACKNOWLEDGE, 0);

        final int source;
        final int opcode;
        final int payload;

        Flood(int source, PacketOpcode row, int payload) {
            this.source = source;
            this.opcode = row.code();
            this.payload = payload;
        }
    }

    @SuppressWarnings("SystemOut") // a tool's output
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        long millis = args.length > 1 ? Long.parseLong(args[1]) : 400;
        FloodPace pace = new FloodPace(millis * 1_000_000);
        // The first round compiles.
        for (int i = -1; i < rounds; i++) {
            for (int bytes : WRITES) {
                pace.round(bytes, i >= 0);
            }
        }
        System.out.printf(
                "%-24s %5s %8s %8s %8s %12s %10s%n",
                "flood", "write", "share", "least", "most", "packets/s", "writes/s");
        pace.rows.forEach((name, values) -> System.out.printf(
                Locale.ROOT,
                "%-30s %8.3f %8.3f %8.3f %12.0f %10.0f%n",
                name,
                median(values, 0),
                values.stream().mapToDouble(v -> v[0]).min().orElse(0),
                values.stream().mapToDouble(v -> v[0]).max().orElse(0),
                median(values, 1),
                median(values, 2)));
    }

    private static double median(List<double[]> values, int index) {
        double[] sorted = values.stream().mapToDouble(v -> v[index]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private void round(int bytes, boolean counts) throws Exception {
        double before = measure(Flood.NONE, bytes)[0];
        for (Flood flood : Flood.values()) {
            double[] found = measure(flood, bytes);
            // Between two without a flood, as the computer is another one from second to second.
            double after = measure(Flood.NONE, bytes)[0];
            double alone = (before + after) / 2;
            before = after;
            if (counts) {
                rows.computeIfAbsent(String.format(Locale.ROOT, "%-24s %5d", flood, bytes), _ -> new ArrayList<>())
                        .add(new double[] {found[0] / alone, found[1], found[0]});
            }
        }
    }

    /** Writes a second of the engine's time, packets that it looked at a second of it. */
    private double[] measure(Flood flood, int bytes) throws Exception {
        double[] found = tryOnce(flood, bytes);
        for (int tries = 1; found.length == 0; tries++) {
            if (tries == MOST_TRIES) {
                throw new IllegalStateException("too busy a computer: the flood does not get a core");
            }
            found = tryOnce(flood, bytes);
        }
        return found;
    }

    /** The same; nothing if the flood's thread was kept from running. */
    private double[] tryOnce(Flood flood, int bytes) throws Exception {
        try (FloodedHca hca = new FloodedHca(HCA, PEER)) {
            Sender sender = new Sender(flood, hca);
            Thread thread = Thread.ofPlatform().daemon(true).start(sender);
            try {
                long _ = run(hca, bytes, nanos / 4)[0];
                long packets = hca.packets();
                long sent = sender.sent;
                long[] ran = run(hca, bytes, nanos);
                if (flood != Flood.NONE && (sender.sent - sent) * 1e9 / nanos < LEAST_PACKETS_PER_SECOND) {
                    return new double[0];
                }
                return new double[] {ran[0] * 1e9 / ran[1], (hca.packets() - packets) * 1e9 / ran[1]};
            } finally {
                sender.over = true;
                thread.join();
            }
        }
    }

    /** Writes that ended, and nanoseconds of this thread's time that the engine took for so long. */
    private long[] run(FloodedHca hca, int bytes, long forNanos) {
        long begin = System.nanoTime();
        long cpu = threads.getCurrentThreadCpuTime();
        long done = 0;
        long guest = 0;
        long now = begin;
        while (now - begin < forNanos) {
            hca.turn();
            long from = System.nanoTime();
            done += hca.write(bytes);
            now = System.nanoTime();
            // Longer: the thread was kept from running.
            guest += Math.min(now - from, 100_000);
        }
        return new long[] {done, threads.getCurrentThreadCpuTime() - cpu - guest};
    }

    /** The flood: sets of datagrams, as fast as the kernel takes them. */
    private static final class Sender implements Runnable {
        private final Flood flood;
        private final FloodedHca hca;
        volatile boolean over;
        volatile long sent;

        Sender(Flood flood, FloodedHca hca) {
            this.flood = flood;
            this.hca = hca;
        }

        @Override
        public void run() {
            if (flood == Flood.NONE) {
                return;
            }
            try (UdpPort port = UdpPort.open(flood.source, PacketPort.UDP_PORT, UdpPort.Settings.standard())) {
                int datagram = flood == Flood.EMPTY ? 1 : write(port.sendMemory());
                int each = Math.min(UdpPort.MAX_SEGMENTS, Math.max(1, BATCH_BYTES / datagram)) * datagram;
                long count = 0;
                while (!over) {
                    count += (long) BATCHES * (each / datagram);
                    for (int i = 0; i < BATCHES; i++) {
                        boolean _ = port.add((long) i * BATCH_BYTES, each, datagram, HCA, PacketPort.UDP_PORT, 0);
                    }
                    do {
                        int _ = port.flush();
                    } while (port.pending() > 0 && !over);
                    sent = count;
                }
            } catch (PosixException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Writes all sets, one after the other in places of {@link #BATCH_BYTES}; bytes of a datagram. */
        private int write(MemorySegment memory) {
            Icrc icrc = new Icrc(memory);
            int header = PacketTable.headerBytes(flood.opcode);
            int packet = header + flood.payload;
            int datagram = packet + Icrc.SIZE_BYTES;
            int each = Math.min(UdpPort.MAX_SEGMENTS, Math.max(1, BATCH_BYTES / datagram));
            for (int batch = 0; batch < BATCHES; batch++) {
                for (int i = 0; i < each; i++) {
                    long at = (long) batch * BATCH_BYTES + (long) i * datagram;
                    int number = batch * each + i;
                    headers(memory, at, number);
                    if (flood.payload <= 4096) {
                        icrc.store(at, packet, flood.source, HCA, i, PacketPort.UDP_PORT, PacketPort.UDP_PORT);
                    }
                    if (flood.name().startsWith("WRONG_ICRC")) {
                        long sum = at + packet;
                        memory.set(JAVA_BYTE, sum, (byte) ~memory.get(JAVA_BYTE, sum));
                    }
                }
            }
            return datagram;
        }

        private void headers(MemorySegment memory, long at, int number) {
            int qpn = switch (flood) {
                case MANAGEMENT -> ManagementDatagram.QPN;
                case NO_QUEUE_PAIR -> 3 + number;
                case WRONG_QKEY, NO_RECEIVE -> hca.udQpn;
                default -> hca.rcQpn;
            };
            int psn = switch (flood) {
                case FORGED_DUPLICATE -> UdpHca.PSN - 1 - number & 0xff_ffff;
                case FORGED_GAP -> UdpHca.PSN + 1 + number;
                default -> UdpHca.PSN;
            };
            BthLayout.write(memory, at, flood.opcode, 0, 0, Pkey.DEFAULT, qpn, psn);
            if (PacketTable.has(flood.opcode, Header.DETH)) {
                int qkey = switch (flood) {
                    case MANAGEMENT -> ManagementDatagram.QKEY;
                    case NO_RECEIVE -> FloodedHca.QKEY;
                    default -> FloodedHca.QKEY + 1;
                };
                DethLayout.write(memory, at + PacketTable.headerOffset(flood.opcode, Header.DETH), qkey, 9);
            }
            if (PacketTable.has(flood.opcode, Header.AETH)) {
                AethLayout.write(memory, at + PacketTable.headerOffset(flood.opcode, Header.AETH), 0, number);
            }
        }
    }
}
