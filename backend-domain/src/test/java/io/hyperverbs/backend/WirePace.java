package io.hyperverbs.backend;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.UdpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures two HCAs joined by UDP beside UDP alone, with the same datagrams and the same waiting, in
 * turn: docs/measurements/udp.md. Each end is one thread.
 *
 * <pre>{@code WirePace [rounds]}</pre>
 */
final class WirePace {
    private static final int A = 0x7f1e_0001;
    private static final int B = 0x7f1e_0002;
    private static final int PING_BYTES = 8;

    /** BTH, RETH, eight bytes, ICRC. */
    private static final int PING_DATAGRAM = 12 + 16 + PING_BYTES + 4;

    /** Offset in the buffer where a ping comes, and the answer. */
    private static final long ARRIVES = 64;

    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final int WARM_UP = 20_000;
    private static final int PINGS = 50_000;
    private static final int MESSAGE = 64 << 10;
    private static final int UNDER_WAY = 16;
    private static final int MTU = 4096;
    private static final int SEGMENT = BthLayout.SIZE_BYTES + MTU + Icrc.SIZE_BYTES;
    private static final int SEGMENTS = 15;
    private static final int BATCHES = 4;
    private static final int WINDOW = 2 << 20;
    private static final long WARM_UP_NANOS = 1_000_000_000;
    private static final long STREAM_NANOS = 1_500_000_000;

    private final Map<String, List<Double>> rows = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private volatile boolean over;

    private WirePace() {}

    @SuppressWarnings("SystemOut") // a tool's output
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
        WirePace pace = new WirePace();
        for (int i = 0; i < rounds; i++) {
            double udpMicros = pace.both(pace::udpAnswer, pace::udpAsk);
            double hcaMicros = pace.hcaPings();
            pace.put("ping-pong of 8 B, half round trip, UDP, us", udpMicros);
            pace.put("the same, write of the HCA, us", hcaMicros);
            pace.put("ratio", hcaMicros / udpMicros);
            double udp = pace.udpStream(false);
            double touched = pace.udpStream(true);
            double hca = pace.hcaStream();
            pace.put("stream, UDP, payload untouched, GiB/s", udp);
            pace.put("the same, payload copied, ICRC at both ends", touched);
            pace.put("stream, writes of 64 KiB of the HCA, GiB/s", hca);
            pace.put("ratio to untouched", hca / udp);
            pace.put("ratio to touched", hca / touched);
        }
        pace.threads.shutdown();
        pace.rows.forEach((name, values) -> {
            double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%-48s %8.2f   %s%n",
                    name,
                    sorted[sorted.length / 2],
                    values.stream()
                            .map(v -> String.format(Locale.ROOT, "%.2f", v))
                            .toList());
        });
    }

    private void put(String name, double value) {
        rows.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    /** Runs both on threads of their own; the second says what was measured, and ends the first. */
    private double both(Callable<Double> other, Callable<Double> measured) throws Exception {
        over = false;
        Future<Double> answering = threads.submit(other);
        try {
            return threads.submit(measured).get();
        } finally {
            over = true;
            double _ = answering.get();
        }
    }

    private static UdpPort open(int address) throws PosixException {
        return UdpPort.open(address, PacketPort.UDP_PORT, UdpPort.Settings.standard());
    }

    /** Nothing is received without a system call, so spins before the first yield cost more than they save. */
    private static WaitingPolicy waiting() {
        return new WaitingPolicy(0, Long.MAX_VALUE);
    }

    private double udpAnswer() throws PosixException {
        WaitingPolicy waiting = waiting();
        try (UdpPort port = open(B)) {
            while (!over) {
                if (port.receive() == 0) {
                    boolean _ = waiting.idle();
                } else {
                    send(port, A, PING_DATAGRAM);
                }
            }
        }
        return 0;
    }

    private static void send(UdpPort port, int to, int bytes) {
        boolean _ = port.add(0, bytes, bytes, to, PacketPort.UDP_PORT, 0);
        int _ = port.flush();
    }

    private double udpAsk() throws PosixException {
        WaitingPolicy waiting = waiting();
        long[] nanos = new long[PINGS];
        try (UdpPort port = open(A)) {
            for (int i = -WARM_UP; i < PINGS; i++) {
                long start = System.nanoTime();
                send(port, B, PING_DATAGRAM);
                while (port.receive() == 0) {
                    boolean _ = waiting.idle();
                }
                nanos[Math.max(0, i)] = System.nanoTime() - start;
            }
        }
        return halfMicros(nanos);
    }

    private static double halfMicros(long... nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 2e3;
    }

    private double hcaPings() throws Exception {
        return joined((a, b) -> both(
                () -> {
                    long seen = 0;
                    while (!over) {
                        boolean isBusy = step(b);
                        long value = (long) LONG.getVolatile(b.memory, b.buffer + ARRIVES);
                        if (value != seen) {
                            seen = value;
                            b.write(a, ARRIVES, ARRIVES, PING_BYTES);
                        } else if (!isBusy) {
                            Thread.yield();
                        }
                    }
                    return 0.0;
                },
                () -> halfMicros(ask(a, b))));
    }

    /** What is measured between two HCAs. */
    @FunctionalInterface
    private interface Measurement {
        double of(WireEnd a, WireEnd b) throws Exception;
    }

    private static double joined(Measurement measurement) throws Exception {
        try (WireEnd a = new WireEnd(1, A, 2, B);
                WireEnd b = new WireEnd(2, B, 1, A)) {
            a.connect(b);
            b.connect(a);
            return measurement.of(a, b);
        }
    }

    private static boolean step(WireEnd end) {
        int done = end.turn();
        return end.completed() + done > 0;
    }

    private static long[] ask(WireEnd a, WireEnd b) {
        long[] nanos = new long[PINGS];
        for (int i = -WARM_UP; i < PINGS; i++) {
            long start = System.nanoTime();
            long value = i + WARM_UP + 1L;
            a.memory.set(JAVA_LONG, a.buffer, value);
            a.write(b, 0, ARRIVES, PING_BYTES);
            while ((long) LONG.getVolatile(a.memory, a.buffer + ARRIVES) != value) {
                if (!step(a)) {
                    Thread.yield();
                }
            }
            nanos[Math.max(0, i)] = System.nanoTime() - start;
        }
        return nanos;
    }

    /**
     * @param isTouched payload is copied into and out of the packets, and each has an ICRC, as all that carries it has to
     */
    private double udpStream(boolean isTouched) throws Exception {
        long[] received = new long[1];
        both(
                () -> {
                    WaitingPolicy waiting = waiting();
                    try (UdpPort port = open(B)) {
                        Payload payload = isTouched ? new Payload(port.receiveMemory()) : null;
                        long acknowledged = 0;
                        while (!over) {
                            int count = port.receive();
                            if (count == 0) {
                                boolean _ = waiting.idle();
                            }
                            for (int i = 0; i < count; i++) {
                                received[0] += port.lengthBytes(i);
                                if (payload != null) {
                                    payload.take(port.offset(i), port.lengthBytes(i));
                                }
                            }
                            if (received[0] - acknowledged >= WINDOW / 8) {
                                acknowledged = received[0];
                                port.sendMemory().set(JAVA_LONG, 0, acknowledged);
                                send(port, A, Long.BYTES);
                            }
                        }
                    }
                    return 0.0;
                },
                () -> udpSend(isTouched));
        return received[0] / (double) (1L << 30) * 1e9 / STREAM_NANOS;
    }

    /** Of the packets of a stream: what lies in guests' memory otherwise. */
    private static final class Payload {
        private final MemorySegment memory = Arena.ofAuto().allocate(MESSAGE, 4096);
        private final MemorySegment packets;
        private final Icrc icrc;

        Payload(MemorySegment packets) {
            this.packets = packets;
            this.icrc = new Icrc(packets);
        }

        void put(long batch) {
            for (int i = 0; i < SEGMENTS; i++) {
                long at = batch + (long) i * SEGMENT;
                MemorySegment.copy(memory, (long) i * MTU, packets, at + BthLayout.SIZE_BYTES, MTU);
                icrc.store(at, SEGMENT - Icrc.SIZE_BYTES, A, B, i, PacketPort.UDP_PORT, PacketPort.UDP_PORT);
            }
        }

        void take(long batch, int lengthBytes) {
            for (int at = 0; at < lengthBytes; at += SEGMENT) {
                int covered = SEGMENT - Icrc.SIZE_BYTES;
                if (!icrc.matches(batch + at, covered, A, B, at / SEGMENT, PacketPort.UDP_PORT, PacketPort.UDP_PORT)) {
                    throw new IllegalStateException("a packet is damaged");
                }
                MemorySegment.copy(packets, batch + at + BthLayout.SIZE_BYTES, memory, at / SEGMENT * (long) MTU, MTU);
            }
        }
    }

    private static double udpSend(boolean isTouched) throws PosixException {
        WaitingPolicy waiting = waiting();
        try (UdpPort port = open(A)) {
            Payload payload = isTouched ? new Payload(port.sendMemory()) : null;
            long sent = 0;
            long acknowledged = 0;
            long start = System.nanoTime();
            while (System.nanoTime() - start < STREAM_NANOS) {
                if (sent - acknowledged <= WINDOW) {
                    for (int i = 0; i < BATCHES; i++) {
                        if (payload != null) {
                            payload.put((long) i * SEGMENTS * SEGMENT);
                        }
                        boolean _ = port.add(
                                (long) i * SEGMENTS * SEGMENT, SEGMENTS * SEGMENT, SEGMENT, B, PacketPort.UDP_PORT, 0);
                        sent += SEGMENTS * SEGMENT;
                    }
                    while (port.pending() > 0) {
                        int _ = port.flush();
                    }
                }
                if (port.receive() > 0) {
                    acknowledged = port.receiveMemory().get(JAVA_LONG, port.offset(0));
                } else if (sent - acknowledged > WINDOW) {
                    boolean _ = waiting.idle();
                }
            }
        }
        return 0;
    }

    private double hcaStream() throws Exception {
        return joined((a, b) -> both(
                () -> {
                    while (!over) {
                        if (!step(b)) {
                            Thread.yield();
                        }
                    }
                    return 0.0;
                },
                () -> {
                    long _ = stream(a, b, WARM_UP_NANOS);
                    return stream(a, b, STREAM_NANOS) / (double) (1L << 30) * 1e9 / STREAM_NANOS;
                }));
    }

    /** Bytes of the writes that completed. */
    private static long stream(WireEnd a, WireEnd b, long nanos) {
        long bytes = 0;
        int underWay = 0;
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos || underWay > 0) {
            while (underWay < UNDER_WAY && System.nanoTime() - start < nanos) {
                a.write(b, 0, 0, MESSAGE);
                underWay++;
            }
            int done = a.turn();
            int completed = a.completed();
            underWay -= completed;
            bytes += (long) completed * MESSAGE;
            if (done + completed == 0) {
                Thread.yield();
            }
        }
        return bytes;
    }
}
