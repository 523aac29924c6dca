package io.hyperverbs.vmm.posix;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.posix.UdpStreamFloor.Received;
import io.hyperverbs.vmm.posix.UdpStreamFloor.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures what a wire over UDP cannot beat on this computer, between two processes over the
 * loopback interface, and prints medians and all rounds: docs/measurements/udp.md.
 *
 * <pre>{@code UdpFloor [rounds]}</pre>
 */
final class UdpFloor {
    private static final int PARENT = 0x7f00_0002;
    private static final int CHILD = 0x7f00_0003;
    private static final UdpPort.Settings SETTINGS = UdpPort.Settings.standard();

    private static final int ROCE_SEGMENT = 4096 + 20;
    private static final Shape SEGMENTS = new Shape(15 * ROCE_SEGMENT, ROCE_SEGMENT, 4, 2 << 20);
    private static final Shape SINGLES = new Shape(ROCE_SEGMENT, ROCE_SEGMENT, 32, 2 << 20);
    private static final long STREAM_NANOS = 1_500_000_000;

    private static final int PING_BYTES = 64;
    private static final int WARM_UP = 20_000;
    private static final int PINGS = 50_000;

    private final Map<String, List<Double>> rows = new LinkedHashMap<>();

    public static void main(String[] args) throws IOException, InterruptedException {
        switch (args.length == 0 ? "" : args[0]) {
            case "answer" -> answer(Integer.parseInt(args[1]), args[2]);
            case "stream" -> stream(Integer.parseInt(args[1]), args[2].equals("segments") ? SEGMENTS : SINGLES);
            default -> new UdpFloor().run(args.length == 0 ? 3 : Integer.parseInt(args[0]));
        }
    }

    private void run(int rounds) throws IOException, InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            double before = hopNanos();
            streams();
            pingPong("hybrid");
            pingPong("yield");
            pingPong("sleep");
            calls();
            System.out.printf(Locale.ROOT, "round %d: hop %.0f ns before, %.0f after%n", round, before, hopNanos());
        }
        rows.forEach((name, values) -> {
            double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
            System.out.printf(
                    Locale.ROOT,
                    "%-60s %9.2f   %s%n",
                    name,
                    sorted[sorted.length / 2],
                    Arrays.toString(values.stream()
                            .map(v -> String.format(Locale.ROOT, "%.2f", v))
                            .toArray()));
        });
    }

    private void put(String name, double value) {
        rows.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    private void streams() throws IOException, InterruptedException {
        stream("stream, segments, coalesced", "segments", true);
        stream("stream, segments, not coalesced", "segments", false);
        stream("stream, singles, not coalesced", "singles", false);
    }

    private void stream(String name, String shape, boolean coalescing) throws IOException, InterruptedException {
        try (UdpPort acks = UdpPort.open(PARENT, 0, SETTINGS);
                Fd socket = UdpSocket.open(PARENT, 0, SETTINGS.socketBufferBytes(), 1)) {
            if (coalescing) {
                UdpSocket.coalesce(socket);
            }
            DatagramReceiver receiver = new DatagramReceiver(SETTINGS.receiveBuffers(), DatagramReceiver.BUFFER_BYTES);
            Process child = child("stream", Integer.toString(UdpSocket.port(socket)), shape);
            Received got = new UdpStreamFloor(acks).receive(receiver, socket, SEGMENTS.windowBytes() / 8);
            join(child);
            put(name + ", GiB/s", got.gibPerSecond());
            put(name + ", datagrams dropped", UdpSocket.drops(socket));
        }
    }

    /** The child of a stream. */
    private static void stream(int toPort, Shape shape) throws PosixException {
        try (UdpPort port = UdpPort.open(CHILD, 0, SETTINGS)) {
            new UdpStreamFloor(port).send(PARENT, toPort, shape, STREAM_NANOS);
        }
    }

    private void pingPong(String policy) throws IOException, InterruptedException {
        try (UdpPort port = UdpPort.open(PARENT, 0, SETTINGS);
                UdpPingPongFloor ends = new UdpPingPongFloor(port, policy(policy))) {
            Process child = child("answer", Integer.toString(port.port()), policy);
            ends.await();
            int from = port.sourcePort(0);
            int count = policy.equals("sleep") ? PINGS / 5 : PINGS;
            long[] nanos = ends.ask(CHILD, from, PING_BYTES, policy.equals("sleep") ? 2000 : WARM_UP, count);
            for (int i = 0; i < 3; i++) {
                ends.send(CHILD, from, 0);
            }
            join(child);
            String name = "ping-pong 64 B, " + policy + ", half round trip, us, ";
            put(name + "p50", nanos[count / 2] / 1e3);
            put(name + "p99", nanos[count / 100 * 99] / 1e3);
        }
    }

    /** An empty receive is a system call, so 20 of them before the first yield take longer than a round trip. */
    private static WaitingPolicy policy(String name) {
        return switch (name) {
            case "hybrid" -> WaitingPolicy.hybrid();
            case "yield" -> new WaitingPolicy(0, WaitingPolicy.DEFAULT_YIELD_NANOS);
            default -> new WaitingPolicy(0, 0);
        };
    }

    /** The child of a ping-pong; its first datagram says where it is. */
    private static void answer(int toPort, String policy) throws PosixException {
        try (UdpPort port = UdpPort.open(CHILD, 0, SETTINGS);
                UdpPingPongFloor ends = new UdpPingPongFloor(port, policy(policy))) {
            ends.send(PARENT, toPort, 1);
            ends.answer();
        }
    }

    private void calls() throws PosixException {
        try (UdpPort a = UdpPort.open(PARENT, 0, SETTINGS);
                UdpPort b = UdpPort.open(CHILD, 0, SETTINGS);
                Fd socket = UdpSocket.open(PARENT, 0, SETTINGS.socketBufferBytes(), 1)) {
            UdpCallCosts costs = new UdpCallCosts(a, b);
            put("empty receive, ns", costs.emptyReceive());
            put("empty receive of a port with a group, ns", costs.emptyReceiveWithGroup());
            put("empty recvmmsg, common downcall, ns", costs.emptyCall(socket, false));
            put("empty recvmmsg, critical downcall, ns", costs.emptyCall(socket, true));
            for (int batch : new int[] {1, 8, 32}) {
                var datagram = costs.datagrams(batch, PING_BYTES, PING_BYTES);
                put("datagram of 64 B in batches of " + batch + ", send, ns", datagram.sendNanos());
                put("datagram of 64 B in batches of " + batch + ", receive, ns", datagram.receiveNanos());
            }
            var batch = costs.datagrams(8, SEGMENTS.lengthBytes(), SEGMENTS.segmentBytes());
            put("8 batches of 15 segments, each of them, send, ns", batch.sendNanos());
            put("8 batches of 15 segments, each of them, receive, ns", batch.receiveNanos());
            System.out.println("# " + costs.sum());
        }
    }

    private static Process child(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                UdpFloor.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void join(Process child) throws IOException, InterruptedException {
        int code = child.waitFor();
        if (code != 0) {
            throw new IOException("child ended with " + code);
        }
    }

    /** Nanoseconds that a cache line takes from one core to the other: the best of 50 rounds of 1 ms. */
    private static double hopNanos() throws InterruptedException {
        AtomicLong ball = new AtomicLong();
        Thread other = Thread.ofPlatform().daemon().start(() -> {
            for (long next = 1; next > 0; ) {
                long seen = ball.get();
                if (seen < 0) {
                    return;
                }
                if (seen == next) {
                    ball.set(next + 1);
                    next += 2;
                }
            }
        });
        double best = Double.MAX_VALUE;
        long number = 0;
        for (int i = 0; i < 50; i++) {
            long start = System.nanoTime();
            int hops = 0;
            while (System.nanoTime() - start < 1_000_000) {
                ball.set(number + 1);
                number += 2;
                while (ball.get() != number) {
                    Thread.onSpinWait();
                }
                hops += 2;
            }
            best = Math.min(best, (double) (System.nanoTime() - start) / hops);
        }
        ball.set(-1);
        other.join();
        return best;
    }
}
